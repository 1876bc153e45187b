using System.Net.Sockets;
using Cluster.Nodes;
using Cluster.Nodes.Consul;
using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Tables;
using Cluster.SystemTests.Nodes;
using Cluster.Testing;
using Cluster.Testing.Stores;
using Microsoft.Extensions.Logging.Abstractions;
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
    private const string MembersMissing = "[5110]";
    private const string ClusterName = "cluster";
    private const string Keys = "cluster/";
    private const int ConnectionsOfOthers = 300;
    private const double RequestsPerSecondMax = 5;
    private const double ProcessorShareMax = 0.05;

    // A node looks at the store after a change of the version, or when its long poll of 30 s ends.
    private static readonly TimeSpan AlarmWithin = TimeSpan.FromSeconds(45);
    private static readonly TimeSpan Settling = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan Trouble = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan BackWithin = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan CoordinatedWithin = TimeSpan.FromSeconds(7);
    private static readonly TimeSpan NoGap = TimeSpan.FromSeconds(1.5);
    private static readonly TimeSpan RegisteredWithin = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan Outage = TimeSpan.FromMinutes(10);
    private static readonly TimeSpan OutageInShort = TimeSpan.FromSeconds(15);

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
        await run.Cluster.Consul.Servers[0].DeleteKeysAsync(Keys);
        var other = await CreateOtherAsync(run.Cluster);
        var stranger = run.Cluster.Nodes[3];
        run.Cluster.Start(stranger.Name, "--Cluster:Bootstrap=true", "--Cluster:InitialNodeCount=1");
        await stranger.WaitUntilStartedAsync(FaultCluster.StartBound);
        await Eventually.TrueAsync(
            () => run.Cluster.Nodes[..3].All(HasAlarm), AlarmWithin, "every old node tells it");
        await run.Load.RunForAsync(Trouble);
        Assert.Equal(version, run.Cluster.Table.Version);
        await using (var store = Open(run.Cluster))
            Assert.Equal(other, await store.ReadMetaAsync(CancellationToken.None));
        await run.Cluster.KillAsync(stranger.Name);
        await run.EndAsync(new FaultExpectations { MayLog = IsAlarm });
        run.CheckNothingFailed();
        run.CheckGap(run.All, NoGap, "any partition");
        run.CheckPrimaries();
    }

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-emptied-store")]
    [Trait("Case", "experience-X5")]
    public async Task EmptiedConsul_IsWrittenAgainByTheNodes()
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings { FurtherNodes = 1 }, output);
        await using var store = Open(run.Cluster);
        run.FaultBegins([]);
        var before = await store.ReadTableAsync(TableConsistency.Consistent, CancellationToken.None);
        await run.Cluster.Consul.Servers[0].DeleteKeysAsync(Keys);
        var restored = await WaitUntilBackAsync(run, store);

        // On a busy machine the table may change just before, or just after.
        Assert.True(restored.Version >= before.Version + 2);
        Assert.All(run.All, index => Assert.True(restored.Partitions[index].Epoch >= before.Partitions[index].Epoch));
        if (restored.Version == before.Version + 2)
            Assert.Equal(before.Partitions.AsEnumerable(), restored.Partitions.AsEnumerable());

        // A node that joins shows that the store works in full: registration, coordinator, changes of the table.
        run.FaultEnds();
        var joining = run.Cluster.Nodes[3];
        run.Cluster.Start(joining.Name);
        await run.EndWithJoinAsync(joining, new FaultExpectations { MayLog = IsAlarm }, NoGap);
    }

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "experience-X5")]
    public Task ConsulThatWasGoneAndIsEmpty_IsWrittenAgainByTheNodes_Short() => CheckGoneAndEmptyAsync(OutageInShort);

    [RequiresConsulFact]
    [Trait("Case", "glue-84")]
    [Trait("Case", "experience-X5")]
    public Task ConsulThatWasGoneAndIsEmpty_IsWrittenAgainByTheNodes() => CheckGoneAndEmptyAsync(Outage);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-emptied-store")]
    public Task EmptiedConsul_WithAPausedNode_IsWrittenAgainWhenItResumes() =>
        CheckWithMissingNodeAsync(isKilled: false);

    [RequiresConsulFact]
    [Trait("Case", "cluster-emptied-store")]
    public Task EmptiedConsul_WithAPausedNode_IsWrittenAgainWhenItIsDead() => CheckWithMissingNodeAsync(isKilled: true);

    private async Task CheckGoneAndEmptyAsync(TimeSpan outage)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings(), output);
        await using var store = Open(run.Cluster);
        var consul = run.Cluster.Consul.Servers[0];
        run.FaultBegins([]);
        await consul.StopAsync();
        await run.Load.RunForAsync(outage);
        consul.ForgetEverything();
        await consul.StartAgainAsync();
        var backAt = run.Load.Now;
        await Eventually.TrueAsync(
            async () => (await consul.GetAsync("/v1/agent/services")).EnumerateObject().Count() == 3,
            RegisteredWithin,
            "all nodes are registered again");
        run.Write($"registered again after {run.Load.Now - backAt:0.0} s (bound {RegisteredWithin.TotalSeconds:0} s)");
        await WaitUntilBackAsync(run, store);
        run.FaultEnds();
        await run.EndAsync(new FaultExpectations { MayLog = IsAlarm });
        run.CheckNothingFailed();
        run.CheckGap(run.All, NoGap, "any partition");
        run.CheckPrimaries();
    }

    // Partitions with a copy on the paused node stall: without its promise, their primaries have no lease, and no table
    // can take it out.
    private async Task CheckWithMissingNodeAsync(bool isKilled)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings { NodeCount = 5 }, output);
        await using var store = Open(run.Cluster);
        var victim = run.Cluster.Nodes[4];
        int[] affected = [.. run.PartitionsOf(victim.Name), .. run.BackupsOf(victim.Name)];
        run.FaultBegins([]);
        await run.Cluster.Consul.Servers[0].DeleteKeysAsync(Keys);
        victim.Process!.Pause();
        await Eventually.TrueAsync(
            () => run.Cluster.Nodes[..4].All(node => IsMissing(node, victim)), AlarmWithin,
            "every node names the paused one");
        await run.Load.RunForAsync(Trouble);
        Assert.Null(await store.ReadMetaAsync(CancellationToken.None));
        if (isKilled)
            await run.Cluster.KillAsync(victim.Name);
        else
            victim.Process.Resume();
        await WaitUntilBackAsync(run, store);
        run.FaultEnds();
        if (isKilled)
            await run.RestartAsync(victim.Name);
        await run.EndAsync(new FaultExpectations { MayLog = IsAlarm });
        run.CheckGap(run.All.Except(affected), NoGap, "partitions that the paused node had no copy of");
    }

    private static async Task<ClusterTable> WaitUntilBackAsync(FaultRun run, ConsulClusterStore store)
    {
        var began = run.Load.Now;
        await Eventually.TrueAsync(
            () => HoldsClusterAsync(store), BackWithin, "the table is back");
        run.Write(
            $"the table is in the store again after {run.Load.Now - began:0.0} s (bound {BackWithin.TotalSeconds:0} s)");
        var table = await store.ReadTableAsync(TableConsistency.Consistent, CancellationToken.None);
        await Eventually.TrueAsync(
            async () => await run.Cluster.FindCoordinatorAsync() is not null, CoordinatedWithin, "a node coordinates");
        await Eventually.TrueAsync(
            () => run.Cluster.Table.Version >= table.Version, CoordinatedWithin, "the client has the table");
        return table;
    }

    private static async ValueTask<bool> HoldsClusterAsync(ConsulClusterStore store)
    {
        try
        {
            return await store.ReadMetaAsync(CancellationToken.None) is not null;
        }
        catch (ClusterStoreException failure) when (failure.Kind == ClusterStoreError.Unreachable)
        {
            // A busy machine.
            return false;
        }
    }

    private static ConsulClusterStore Open(FaultCluster cluster) => ConsulClusterStore.Create(
        ClusterName, new ConsulOptions { Address = cluster.Consul.Servers[0].Address }, TimeProvider.System,
        NullLoggerFactory.Instance);

    // At once, so that the old nodes have no time to write their table again.
    private static async Task<ClusterMeta> CreateOtherAsync(FaultCluster cluster)
    {
        await using var store = Open(cluster);
        return await store.CreateAsync(
            StoreTables.NewMeta(ClusterName, cluster.Settings.PartitionCount), CancellationToken.None);
    }

    private static bool IsMissing(FaultNode node, FaultNode missing) => node.Process!.Lines.Any(line =>
        line.Contains(MembersMissing, StringComparison.Ordinal)
        && line.Contains(missing.Name + "/", StringComparison.Ordinal));

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
        await run.EndWithJoinAsync(joining, new FaultExpectations { MayLog = IsAlarm }, NoGap);
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
        await run.EndWithJoinAsync(joining, new FaultExpectations { MayLog = IsAlarm }, NoGap);
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
        new[] { StoreUnusable, LoopFailed, MembersMissing }
            .Any(number => line.Contains(number, StringComparison.Ordinal));
}
