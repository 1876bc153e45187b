using Cluster.SystemTests.Nodes;
using Cluster.Testing.Faults;
using Xunit.Abstractions;

namespace Cluster.SystemTests.Faults;

/// <summary>Networks that are cut, flap or delay, while clients work.</summary>
[Collection(FaultSequence.Name)]
[Trait("Category", "Soak")]
public sealed class NetworkTests(ITestOutputHelper output)
{
    private static readonly TimeSpan GapByGrace = TimeSpan.FromSeconds(6);
    private static readonly TimeSpan RejoinedWithin = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan NoGap = TimeSpan.FromSeconds(1.5);
    private static readonly TimeSpan Isolation = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan IsolationInShort = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan Flap = TimeSpan.FromSeconds(1);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F6")]
    public Task IsolatedNode_IsReplacedAndRejoins_Short() =>
        CheckIsolationAsync(IsolationInShort, fromPeers: true, fromConsul: true);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F6")]
    [Trait("Case", "experience-X3")]
    public Task IsolatedNode_IsReplacedAndRejoins() =>
        CheckIsolationAsync(Isolation, fromPeers: true, fromConsul: true);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F7")]
    public Task NodeWithoutPeers_ButWithConsul_IsReplaced_Short() =>
        CheckIsolationAsync(IsolationInShort, fromPeers: true, fromConsul: false);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F7")]
    public Task NodeWithoutPeers_ButWithConsul_IsReplaced() =>
        CheckIsolationAsync(Isolation, fromPeers: true, fromConsul: false);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F7")]
    public Task NodeWithoutConsul_ButWithPeers_GoesOn_Short() => CheckWithoutConsulAsync(TimeSpan.FromSeconds(15));

    [RequiresConsulFact]
    [Trait("Case", "cluster-F7")]
    public Task NodeWithoutConsul_ButWithPeers_GoesOn() => CheckWithoutConsulAsync(TimeSpan.FromSeconds(60));

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F8")]
    public Task OneWayCut_FromAPrimary_Short() => CheckOneWayAsync(IsolationInShort, isFromNode: true);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F8")]
    public Task OneWayCut_ToAPrimary_Short() => CheckOneWayAsync(IsolationInShort, isFromNode: false);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F8")]
    public Task OneWayCut_FromAPrimary() => CheckOneWayAsync(Isolation, isFromNode: true);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F8")]
    public Task OneWayCut_ToAPrimary() => CheckOneWayAsync(Isolation, isFromNode: false);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F9")]
    [Trait("Case", "glue-89")]
    public Task SplitOfFive_ServesWhereTheMajorityIs_Short() => CheckSplitAsync(TimeSpan.FromSeconds(15));

    [RequiresConsulFact]
    [Trait("Case", "cluster-F9")]
    [Trait("Case", "glue-89")]
    public Task SplitOfFive_ServesWhereTheMajorityIs() => CheckSplitAsync(TimeSpan.FromSeconds(60));

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F10")]
    [Trait("Case", "glue-86")]
    public Task FlappingLink_CostsFewEpochs_Short() => CheckFlappingAsync(TimeSpan.FromSeconds(20));

    [RequiresConsulFact]
    [Trait("Case", "cluster-F10")]
    [Trait("Case", "glue-86")]
    public Task FlappingLink_CostsFewEpochs() => CheckFlappingAsync(TimeSpan.FromMinutes(2));

    [RequiresConsulFact]
    [Trait("Case", "cluster-F24")]
    public Task SlowNetwork_KeepsAThirdOfTheThroughput_Short() => CheckSlowAsync(TimeSpan.FromSeconds(20));

    [RequiresConsulFact]
    [Trait("Case", "cluster-F24")]
    [Trait("Case", "experience-X3")]
    public Task SlowNetwork_KeepsAThirdOfTheThroughput() => CheckSlowAsync(TimeSpan.FromMinutes(5));

    private async Task CheckIsolationAsync(TimeSpan time, bool fromPeers, bool fromConsul)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings(), output);
        var name = await run.Cluster.FindFollowerAsync();
        int[] affected = [.. run.PartitionsOf(name), .. run.BackupsOf(name)];
        foreach (var other in run.Cluster.RunningNames.Append(FaultCluster.Client).Except([name]))
        {
            if (fromPeers)
                run.Cluster.CutBoth(name, other);
        }

        if (fromConsul)
            run.Cluster[name].Consul.Drop();
        run.FaultBegins(affected);
        await run.Load.RunForAsync(time);
        Assert.Empty(run.PartitionsOf(name));
        run.Cluster.HealAll();
        run.FaultEnds();
        run.Load.Probe(affected);
        var healedAt = run.Load.Now;
        await run.Cluster.WaitUntilSharedAsync(RejoinedWithin);
        run.Write($"{name} has its share again after {run.Load.Now - healedAt:0.0} s (bound 15 s)");
        await run.EndAsync();
        run.CheckGap(run.All, GapByGrace, "any partition");
    }

    private async Task CheckWithoutConsulAsync(TimeSpan time)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings(), output);
        var name = await run.Cluster.FindFollowerAsync();
        run.Cluster[name].Consul.Drop();
        run.FaultBegins(run.PartitionsOf(name));
        await run.Load.RunForAsync(time);
        run.Cluster.HealAll();
        await run.EndAsync();
        run.CheckGap(run.All, NoGap, "any partition");
        run.CheckNothingFailed();
        run.CheckPrimaries();
    }

    // The clients reach the node in both directions.
    private async Task CheckOneWayAsync(TimeSpan time, bool isFromNode)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings(), output);
        var name = await run.Cluster.FindFollowerAsync();
        int[] affected = [.. run.PartitionsOf(name), .. run.BackupsOf(name)];
        foreach (var other in run.Cluster.RunningNames.Except([name]))
        {
            if (isFromNode)
                run.Cluster.Cut(name, other);
            else
                run.Cluster.Cut(other, name);
        }

        run.FaultBegins(affected);
        await run.Load.RunForAsync(time);
        run.CheckEpochs(run.All, bound: 3);
        run.Cluster.HealAll();
        await run.EndAsync();
        run.CheckGap(run.All, GapByGrace, "any partition");
    }

    private async Task CheckSplitAsync(TimeSpan time)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings { NodeCount = 5 }, output);
        var names = run.Cluster.RunningNames.ToArray();
        var (majority, minority) = (names[..3], names[3..]);
        var table = run.Cluster.Table;
        int[] served = [.. run.All.Where(index => table.HoldersOf(index).Any(majority.Contains))];
        foreach (var one in minority)
        {
            // Clients are on the side of the majority.
            foreach (var other in majority.Append(FaultCluster.Client))
                run.Cluster.CutBoth(one, other);
            run.Cluster[one].Consul.Drop();
        }

        run.FaultBegins(run.All);
        await run.Load.RunForAsync(time);
        run.Cluster.HealAll();
        await run.EndAsync(new FaultExpectations { RestoredWithin = TimeSpan.FromSeconds(30) });
        run.CheckGap(served, GapByGrace, "partitions with a copy at the majority");
    }

    private async Task CheckFlappingAsync(TimeSpan time)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings(), output);
        var one = await run.Cluster.FindFollowerAsync();
        var other = run.Cluster.RunningNames.First(name => name != one);
        run.FaultBegins(run.PartitionsOf(one));
        for (var began = run.Load.Now; run.Load.Now - began < time.TotalSeconds;)
        {
            run.Cluster.CutBoth(one, other);
            await run.Load.RunForAsync(Flap);
            run.Cluster.Heal(one, other);
            await run.Load.RunForAsync(Flap);
        }

        // Re-admission waits at most a minute.
        await run.EndAsync(new FaultExpectations { RestoredWithin = TimeSpan.FromSeconds(75) });
        run.CheckEpochs(run.All, bound: 20);
        run.CheckGap(run.All, GapByGrace, "any partition");
    }

    // Over TCP, loss is delay: a chunk that was lost comes 200 ms later.
    private async Task CheckSlowAsync(TimeSpan time)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings(), output);
        await run.Load.RunForAsync(FaultRun.Calm);
        var slowAt = run.Load.Now;
        run.Cluster.DelayAll(new RelayDelay(
            TimeSpan.Zero, TimeSpan.FromMilliseconds(100), 2, TimeSpan.FromMilliseconds(200)));
        run.FaultBegins([]);
        await run.Load.RunForAsync(time);
        var healedAt = run.Load.Now;
        run.Cluster.DelayAll(RelayDelay.None);
        await run.EndAsync();
        var (clean, slow) = (run.Report.RateBetween(slowAt - 5, slowAt), run.Report.RateBetween(slowAt + 1, healedAt));
        run.Write($"{slow:0} of {clean:0} operations/s (bound 30 %)");
        Assert.True(slow >= 0.3 * clean);
        run.CheckGap(run.All, GapByGrace, "any partition");
    }
}
