using Cluster.SystemTests.Nodes;
using Cluster.Testing;
using Cluster.Testing.Consul;
using Xunit.Abstractions;

namespace Cluster.SystemTests.Faults;

/// <summary>Consul servers and agents that are gone, paused or changed by an operator, while clients work.</summary>
[Collection(FaultSequence.Name)]
[Trait("Category", "Soak")]
public sealed class ConsulTests(ITestOutputHelper output)
{
    private static readonly TimeSpan Outage = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan OutageInShort = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan RegisteredWithin = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan TakenOverWithin = TimeSpan.FromSeconds(6);
    private static readonly TimeSpan NoGap = TimeSpan.FromSeconds(1.5);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F11")]
    public Task KillOfConsulsLeader_FailsNoOperation_Short() => CheckLeaderAsync(kills: 1);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F11")]
    public Task KillOfConsulsLeader_FailsNoOperation() => CheckLeaderAsync(kills: 5);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F12")]
    [Trait("Case", "glue-84")]
    public Task OutageOfConsul_FailsNoOperation_Short() => CheckOutageAsync(OutageInShort);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F12")]
    [Trait("Case", "glue-84")]
    [Trait("Case", "experience-X5")]
    public Task OutageOfConsul_FailsNoOperation() => CheckOutageAsync(Outage);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F13")]
    public Task KillOfANodeWithoutConsul_StallsItsPartitionsAlone_Short() => CheckOutageWithKillAsync(OutageInShort);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F13")]
    public Task KillOfANodeWithoutConsul_StallsItsPartitionsAlone() => CheckOutageWithKillAsync(Outage);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F14")]
    public Task LossOfTheLocalAgent_FailsNoOperation_Short() =>
        CheckAgentAsync(OutageInShort, ProcessSignal.Kill, ProcessSignal.Pause);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F14")]
    public Task LossOfTheLocalAgent_FailsNoOperation() =>
        CheckAgentAsync(TimeSpan.FromSeconds(30), ProcessSignal.Kill, ProcessSignal.Pause, ProcessSignal.Terminate);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F15")]
    [Trait("Case", "glue-83")]
    public Task SessionDestroyedAndServiceDeregistered_AreMadeAgain_Short() => CheckOperatorAsync(rounds: 1);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F15")]
    [Trait("Case", "glue-83")]
    public Task SessionDestroyedAndServiceDeregistered_AreMadeAgain() => CheckOperatorAsync(rounds: 5);

    private async Task CheckLeaderAsync(int kills)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings { ConsulServers = 3 }, output);
        for (var kill = 1; kill <= kills; kill++)
        {
            var leader = await run.Cluster.Consul.FindLeaderAsync();
            run.FaultBegins([]);
            await leader.StopAsync();
            await run.Load.RunForAsync(OutageInShort);
            await leader.StartAgainAsync();
        }

        await run.EndAsync();
        run.CheckNothingFailed();
        run.CheckGap(run.All, NoGap, "any partition");
        run.CheckPrimaries();
    }

    private async Task CheckOutageAsync(TimeSpan time)
    {
        var settings = new FaultSettings { ConsulServers = 3, FurtherNodes = 1 };
        await using var run = await FaultRun.BeginAsync(settings, output);
        run.FaultBegins([]);
        await run.Cluster.Consul.StopAsync();
        var joining = run.Cluster.Nodes[3];
        run.Cluster.Start(joining.Name);
        await run.Load.RunForAsync(time);
        Assert.DoesNotContain("started", joining.Process!.Lines);
        await run.Cluster.Consul.StartAgainAsync();
        run.FaultEnds();
        await run.EndWithJoinAsync(joining, new FaultExpectations(), NoGap);
    }

    private async Task CheckOutageWithKillAsync(TimeSpan time)
    {
        // Partitions with a copy on the victim stall, too: without its promise, their primaries have no lease.
        var settings = new FaultSettings { ConsulServers = 3, NodeCount = 5 };
        await using var run = await FaultRun.BeginAsync(settings, output);
        await run.Cluster.Consul.StopAsync();
        var victim = await run.Cluster.FindFollowerAsync();
        int[] affected = [.. run.PartitionsOf(victim), .. run.BackupsOf(victim)];
        await run.Cluster.KillAsync(victim);
        run.FaultBegins(affected);
        await run.Load.RunForAsync(time);
        await run.Cluster.Consul.StartAgainAsync();
        run.FaultEnds();
        var backAt = run.Load.Now;
        await Eventually.TrueAsync(
            () => run.PartitionsOf(victim).Length == 0, TakenOverWithin, "all partitions of the victim are taken over");
        run.Write($"taken over {run.Load.Now - backAt:0.00} s after Consul is back (bound 6 s)");
        await run.RestartAsync(victim);
        await run.EndAsync();
        run.CheckGap(run.All.Except(affected), NoGap, "partitions that the victim had no copy of");
        run.CheckGap(affected, time + TakenOverWithin + NoGap, "partitions of the victim");
    }

    private async Task CheckAgentAsync(TimeSpan time, params ProcessSignal[] signals)
    {
        var settings = new FaultSettings { ConsulServers = 3, HasOwnAgents = true };
        await using var run = await FaultRun.BeginAsync(settings, output);
        foreach (var signal in signals)
        {
            // The client's agent is that of the first node.
            var leader = await run.Cluster.Consul.FindLeaderAsync();
            var agent = run.Cluster.Consul.Servers.Skip(1).First(server => server != leader);
            run.Write($"{signal} hits an agent");
            run.FaultBegins([]);
            if (signal == ProcessSignal.Pause)
                agent.Process.Pause();
            else
                agent.Process.Send(signal);
            await run.Load.RunForAsync(time);
            await agent.StopAsync();
            await agent.StartAgainAsync();
            await run.Load.RunForAsync(FaultRun.Calm);
        }

        await run.EndAsync();
        run.CheckNothingFailed();
        run.CheckGap(run.All, NoGap, "any partition");
        run.CheckPrimaries();
    }

    private async Task CheckOperatorAsync(int rounds)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings(), output);
        var consul = run.Cluster.Consul.Servers[0];
        for (var round = 1; round <= rounds; round++)
        {
            run.FaultBegins([]);
            var sessions = await consul.GetAsync("/v1/session/list");
            foreach (var session in sessions.EnumerateArray())
                await consul.PutAsync($"/v1/session/destroy/{session.GetProperty("ID").GetString()}");
            var services = await ServicesAsync(consul);
            Assert.Equal(3, services.Length);
            foreach (var service in services)
                await consul.PutAsync($"/v1/agent/service/deregister/{service}");
            await Eventually.TrueAsync(
                async () => (await ServicesAsync(consul)).Length == services.Length, RegisteredWithin, "registered again");
            await Eventually.TrueAsync(
                async () => await run.Cluster.FindCoordinatorAsync() is not null, RegisteredWithin, "a node coordinates");
            await run.Load.RunForAsync(FaultRun.Calm);
        }

        await run.EndAsync();
        run.CheckNothingFailed();
        run.CheckGap(run.All, NoGap, "any partition");
        run.CheckPrimaries();
    }

    private static async Task<string[]> ServicesAsync(ConsulServer consul) =>
        [.. (await consul.GetAsync("/v1/agent/services")).EnumerateObject().Select(service => service.Name)];
}
