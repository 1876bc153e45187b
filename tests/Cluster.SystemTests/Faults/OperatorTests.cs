using System.Net.Sockets;
using Cluster.SystemTests.Nodes;
using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.SystemTests.Faults;

/// <summary>A Consul that was set back, emptied or overloaded, while clients work.</summary>
[Collection(FaultSequence.Name)]
[Trait("Category", "Soak")]
public sealed class OperatorTests(ITestOutputHelper output)
{
    private const string RegisterPath = "/v1/agent/service/register";
    private const string StoreUnusable = "[5032]";
    private const string LoopFailed = "[5020]";
    private const int ConnectionsOfOthers = 300;
    private const double RequestsPerSecondMax = 5;
    private const double ProcessorShareMax = 0.05;


    // A node looks at the store after a change of the version, or when its long poll of 30 s ends.
    private static readonly TimeSpan AlarmWithin = TimeSpan.FromSeconds(45);
    private static readonly TimeSpan Settling = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan Trouble = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan NoGap = TimeSpan.FromSeconds(1.5);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F16")]
    public async Task SnapshotOfConsul_Restored_IsNotAcceptedAndTold()
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings(), output);
        var consul = run.Cluster.Consul.Servers[0];
        var snapshot = await consul.SaveSnapshotAsync();
        var older = run.Cluster.Table.Version;
        var restarted = run.Cluster.Nodes[2];
        restarted.Process!.Send(ProcessSignal.Terminate);
        await restarted.Process.WaitForExitAsync(FaultCluster.StartBound);
        run.Cluster.RefuseConnectionsTo(restarted.Name);
        await run.RestartAsync(restarted.Name);
        var newer = run.Cluster.Table.Version;
        Assert.True(newer > older);

        run.FaultBegins([]);
        await consul.RestoreSnapshotAsync(snapshot);
        await Eventually.TrueAsync(() => run.Cluster.Nodes.All(HasAlarm), AlarmWithin, "every node tells it");
        await run.Load.RunForAsync(Trouble);
        Assert.Equal(newer, run.Cluster.Table.Version);
        await run.EndAsync(new FaultExpectations { MayLog = IsAlarm });
        run.CheckNothingFailed();
        run.CheckGap(run.All, NoGap, "any partition");
    }

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-wiped-consul")]
    public async Task EmptiedConsul_WithANewClusterOfTheName_IsRefusedByTheOldNodes()
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings { FurtherNodes = 1 }, output);
        var version = run.Cluster.Table.Version;
        run.FaultBegins([]);
        await run.Cluster.Consul.Servers[0].DeleteKeysAsync("cluster/");
        var stranger = run.Cluster.Nodes[3];
        run.Cluster.Start(stranger.Name, "--Cluster:Bootstrap=true", "--Cluster:InitialNodeCount=1");
        await stranger.WaitUntilStartedAsync(FaultCluster.StartBound);
        await Eventually.TrueAsync(
            () => run.Cluster.Nodes[..3].All(HasAlarm), AlarmWithin, "every old node tells it");
        await run.Load.RunForAsync(Trouble);
        Assert.Equal(version, run.Cluster.Table.Version);
        await run.Cluster.KillAsync(stranger.Name);
        await run.EndAsync(new FaultExpectations { MayLog = IsAlarm });
        run.CheckNothingFailed();
        run.CheckGap(run.All, NoGap, "any partition");
        run.CheckPrimaries();
    }

    [RequiresConsulFact]
    [Trait("Case", "cluster-F26")]
    public async Task RegistrationRefusedByConsul_IsTriedAgainSeldom()
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings { FurtherNodes = 1 }, output);
        var (known, joining) = (run.Cluster.Nodes[0], run.Cluster.Nodes[3]);
        foreach (var node in new[] { known, joining })
            node.Consul.Answer(static path => path == RegisterPath ? 500 : null);
        run.FaultBegins([]);
        var service = $"cluster-cluster-{known.Incarnation:N}";
        await run.Cluster.Consul.Servers[0].PutAsync($"/v1/agent/service/deregister/{service}");
        run.Cluster.Start(joining.Name);
        await run.Load.RunForAsync(Settling);
        var (requests, processor) = (joining.Consul.Requests, joining.ProcessorTime);
        await run.Load.RunForAsync(Trouble);
        CheckCalm(run, joining, requests, processor);
        Assert.All(run.Cluster.Nodes, node => Assert.True(node.IsRunning));
        run.Cluster.HealAll();
        run.FaultEnds();
        await joining.WaitUntilStartedAsync(FaultCluster.StartBound);
        await run.Cluster.WaitUntilSharedAsync(FaultCluster.StartBound);
        await run.EndAsync(new FaultExpectations { MayLog = IsAlarm });
        run.CheckNothingFailed();
        run.CheckGap(run.All, NoGap, "any partition");
    }

    [RequiresConsulFact]
    [Trait("Case", "cluster-F27")]
    public async Task ConnectionsOfConsul_AllTakenByOthers_AreAskedForSeldom()
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings { FurtherNodes = 1 }, output);
        var joining = run.Cluster.Nodes[3];
        var consul = new Uri(run.Cluster.Consul.Servers[0].Address);
        var others = new List<TcpClient>();
        try
        {
            for (var number = 0; number < ConnectionsOfOthers; number++)
            {
                others.Add(new TcpClient());
                await others[^1].ConnectAsync(IPAddress.Loopback, consul.Port);
            }

            run.FaultBegins([]);
            run.Cluster.Start(joining.Name);
            await run.Load.RunForAsync(Settling);
            var (requests, processor) = (joining.Consul.Requests, joining.ProcessorTime);
            await run.Load.RunForAsync(Trouble);
            Assert.DoesNotContain("started", joining.Process!.Lines);
            Assert.Contains(joining.Process.Lines, line => line.Contains("[5001]", StringComparison.Ordinal));
            CheckCalm(run, joining, requests, processor);
        }
        finally
        {
            foreach (var other in others)
                other.Dispose();
        }

        run.FaultEnds();
        await joining.WaitUntilStartedAsync(FaultCluster.StartBound);
        await run.Cluster.WaitUntilSharedAsync(FaultCluster.StartBound);
        await run.EndAsync(new FaultExpectations { MayLog = IsAlarm });
        run.CheckNothingFailed();
        run.CheckGap(run.All, NoGap, "any partition");
    }

    private static void CheckCalm(FaultRun run, FaultNode node, long requestsBefore, TimeSpan processorBefore)
    {
        var requests = (node.Consul.Requests - requestsBefore) / Trouble.TotalSeconds;
        var processor = (node.ProcessorTime - processorBefore) / Trouble;
        run.Write($"{node.Name}: {requests:0.0} requests/s (bound {RequestsPerSecondMax:0}), "
            + $"{processor:P1} of a processor (bound {ProcessorShareMax:P0})");
        Assert.InRange(requests, 0.1, RequestsPerSecondMax);
        Assert.InRange(processor, 0, ProcessorShareMax);
    }

    private static bool HasAlarm(FaultNode node) => node.Process!.Lines.Any(
        line => line.Contains(StoreUnusable, StringComparison.Ordinal));

    private static bool IsAlarm(string line) =>
        line.Contains(StoreUnusable, StringComparison.Ordinal) || line.Contains(LoopFailed, StringComparison.Ordinal);
}
