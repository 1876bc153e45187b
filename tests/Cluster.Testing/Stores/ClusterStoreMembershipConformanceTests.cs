using Cluster.Contracts;
using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;
using Xunit;

namespace Cluster.Testing.Stores;

/// <summary>The second part of the behaviour of every cluster store: a change wakes all watchers, there is one
/// coordinator at a time, and nodes announce themselves. A store's test class inherits this, and through it the facts
/// about the table.</summary>
public abstract class ClusterStoreMembershipConformanceTests : ClusterStoreConformanceTests
{
    /// <summary>Whether the store shows the digest of its table.</summary>
    protected virtual bool ShowsDigest => true;

    /// <summary>Ends a lease without its holder. The default ends the node's announcement; a store may have another
    /// way.</summary>
    /// <param name="node">The coordinator.</param>
    /// <param name="lease">The coordinator's lease.</param>
    /// <param name="registration">The coordinator's announcement.</param>
    protected virtual async Task BreakLeaseAsync(NodeId node, ICoordinatorLease lease, INodeRegistration registration)
    {
        ArgumentNullException.ThrowIfNull(registration);
        await registration.DisposeAsync();
    }

    [ConformanceFact]
    public async Task Wait_TableIsNewerAlready_ReturnsAtOnce()
    {
        var store = await CreateAsync();
        await SwapAsync(store, StoreTables.WithNewMember(ClusterTable.CreateEmpty(16)));

        Assert.Equal(2, (await store.WaitForChangeAsync(1, None).AsTask().WaitAsync(Bound)).Version);
        Assert.Equal(2, (await Open().WaitForChangeAsync(0, None).AsTask().WaitAsync(Bound)).Version);
    }

    [ConformanceFact]
    public async Task Wait_TableChanges_WakesEveryWatcher()
    {
        var store = await CreateAsync();
        var waits = Enumerable.Range(0, 4).Select(_ => WaitForAsync(Open(), 2)).ToArray();

        await SwapAsync(store, StoreTables.WithNewMember(ClusterTable.CreateEmpty(16)));

        await Task.WhenAll(waits).WaitAsync(Bound);
    }

    [ConformanceFact]
    public async Task Stamp_AfterEachChange_TellsVersionAndDigestOfTheTable()
    {
        var store = await CreateAsync();
        var table = ClusterTable.CreateEmpty(16);
        await CheckStampAsync(table);
        for (var change = 0; change < 3; change++)
        {
            table = await SwapAsync(store, StoreTables.WithNewMember(table));
            await CheckStampAsync(table);
        }

        async Task CheckStampAsync(ClusterTable expected)
        {
            var stamp = await Open().ReadStampAsync(TableConsistency.Consistent, None);
            Assert.Equal(expected.Version, stamp.Version);
            Assert.Equal(ShowsDigest ? ClusterTableCodec.Digest(expected) : null, stamp.Digest);
        }
    }

    [ConformanceFact]
    public async Task Wait_ManyChanges_WatcherFollowsToTheLast()
    {
        var store = await CreateAsync();
        var watching = WaitForAsync(Open(), 21);
        var table = ClusterTable.CreateEmpty(16);
        for (var change = 0; change < 20; change++)
            table = await SwapAsync(store, StoreTables.WithNewMember(table));

        await watching.WaitAsync(Bound);
    }

    [ConformanceFact]
    public async Task Wait_Cancelled_EndsAndTheNextOneWorks()
    {
        var store = await CreateAsync();
        var watcher = Open();
        using var stop = new CancellationTokenSource();
        var waiting = watcher.WaitForChangeAsync(1, stop.Token).AsTask();

        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting).WaitAsync(Bound);
        var next = WaitForAsync(watcher, 2);
        await SwapAsync(store, StoreTables.WithNewMember(ClusterTable.CreateEmpty(16)));
        await next.WaitAsync(Bound);
    }

    [ConformanceFact]
    public async Task Coordinator_OneAtATime_ReleasedByDisposal()
    {
        var (first, second) = (await JoinAsync("a"), await JoinAsync("b"));
        var lease = await first.AcquireAsync();

        Assert.NotNull(lease);
        Assert.True(await lease.IsHeldAsync(None));
        Assert.Null(await second.AcquireAsync());
        await lease.DisposeAsync();
        await lease.DisposeAsync();
        Assert.False(await lease.IsHeldAsync(None));
        var next = await second.AcquireEventuallyAsync();
        Assert.True(await next.IsHeldAsync(None));
        Assert.Null(await first.AcquireAsync());
    }

    [ConformanceFact]
    public async Task Coordinator_EightCandidates_OneWins()
    {
        var candidates = await Task.WhenAll(Enumerable.Range(0, 8).Select(index => JoinAsync($"n{index}")));

        var leases = await Task.WhenAll(candidates.Select(candidate => Task.Run(candidate.AcquireAsync)));

        Assert.Single(leases, lease => lease is not null);
    }

    [ConformanceFact]
    public async Task Coordinator_NotRegistered_IsRefused()
    {
        var store = await CreateAsync();

        await Assert.ThrowsAsync<InvalidOperationException>(
            () => store.TryAcquireCoordinatorAsync(NodeId.NewIncarnation("a"), None).AsTask());
    }

    [ConformanceFact]
    public async Task Coordinator_LeaseHeld_SwapsTheTable()
    {
        var node = await JoinAsync("a");
        await using var lease = await node.AcquireEventuallyAsync();
        var table = StoreTables.WithNewMember(ClusterTable.CreateEmpty(16));

        Assert.Equal(SwapOutcome.Swapped, await node.Store.CompareAndSwapAsync(table, lease, None));
        var late = StoreTables.WithNewMember(ClusterTable.CreateEmpty(16));
        Assert.Equal(SwapOutcome.Conflict, await node.Store.CompareAndSwapAsync(late, lease, None));
    }

    [ConformanceFact]
    public async Task Coordinator_LeaseGivenUp_SwapsNoMore()
    {
        var node = await JoinAsync("a");
        var lease = await node.AcquireEventuallyAsync();
        await lease.DisposeAsync();

        await CheckLostAsync(node, lease);
    }

    [ConformanceFact]
    public async Task Coordinator_LeaseBroken_SwapsNoMoreAndAnotherTakesOver()
    {
        var (first, second) = (await JoinAsync("a"), await JoinAsync("b"));
        var lease = await first.AcquireEventuallyAsync();
        await BreakLeaseAsync(first.Node, lease, first.Registration);

        await CheckLostAsync(first, lease);
        Assert.False(await lease.IsHeldAsync(None));
        var next = await second.AcquireEventuallyAsync();
        var table = StoreTables.WithNewMember(ClusterTable.CreateEmpty(16));
        Assert.Equal(SwapOutcome.LeaseLost, await first.Store.CompareAndSwapAsync(table, lease, None));
        Assert.Equal(SwapOutcome.Swapped, await second.Store.CompareAndSwapAsync(table, next, None));
    }

    [ConformanceFact]
    public async Task Coordinator_LeaseOfAnotherCluster_IsRefused()
    {
        var node = await JoinAsync("a");
        var neighbour = Open(ClusterName + "-2");
        await neighbour.CreateAsync(StoreTables.NewMeta(ClusterName + "-2"), None);
        await using var registration = await neighbour.RegisterAsync(node.Node, "http://127.0.0.1:1", None);
        await using var lease = await neighbour.TryAcquireCoordinatorAsync(node.Node, None);
        var table = StoreTables.WithNewMember(ClusterTable.CreateEmpty(16));

        await Assert.ThrowsAsync<ArgumentException>(
            () => node.Store.CompareAndSwapAsync(table, lease, None).AsTask());
    }

    [ConformanceFact]
    public async Task Registration_Beaten_StandsUntilWithdrawn()
    {
        var node = await JoinAsync("a");
        for (var beat = 0; beat < 3; beat++)
            await node.Registration.BeatAsync(None);

        await node.Registration.DisposeAsync();
        await node.Registration.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => node.Registration.BeatAsync(None).AsTask());
    }

    [ConformanceFact]
    public async Task Registration_SameNameNewIncarnation_StandsBesideTheOld()
    {
        var (old, young) = (await JoinAsync("a"), await JoinAsync("a"));

        await old.Registration.BeatAsync(None);
        await young.Registration.BeatAsync(None);
        await old.Registration.DisposeAsync();
        await young.Registration.BeatAsync(None);
        Assert.False(await old.Store.IsProvenDeadAsync(young.Node, None));
    }

    [ConformanceFact]
    public async Task ProofOfDeath_LivingOrUnknownNode_IsNone()
    {
        var node = await JoinAsync("a");
        var asker = Open();

        for (var question = 0; question < 3; question++)
            Assert.False(await asker.IsProvenDeadAsync(node.Node, None));
        Assert.False(await asker.IsProvenDeadAsync(NodeId.NewIncarnation("a"), None));
        await node.Registration.BeatAsync(None);
    }

    /// <summary>Opens a store for one more node and registers the node there. The first node bootstraps the
    /// cluster.</summary>
    /// <param name="name">The node's name.</param>
    protected async Task<StoreUser> JoinAsync(string name)
    {
        var store = Open();
        await store.CreateAsync(StoreTables.NewMeta(ClusterName), None);
        var node = NodeId.NewIncarnation(name);
        return new StoreUser(store, node, await store.RegisterAsync(node, "http://127.0.0.1:5001", None));
    }

    private static async Task CheckLostAsync(StoreUser node, ICoordinatorLease lease)
    {
        var table = StoreTables.WithNewMember(ClusterTable.CreateEmpty(16));
        Assert.Equal(SwapOutcome.LeaseLost, await node.Store.CompareAndSwapAsync(table, lease, None));
        Assert.Equal(1, (await node.Store.ReadTableAsync(TableConsistency.Consistent, None)).Version);
    }

    private static async Task WaitForAsync(IClusterStore store, long version)
    {
        for (var known = 1L; known < version;)
            known = (await store.WaitForChangeAsync(known, None)).Version;
    }
}
