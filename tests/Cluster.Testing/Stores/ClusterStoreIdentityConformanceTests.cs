using Cluster.Nodes;
using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Tables;
using Xunit;

namespace Cluster.Testing.Stores;

/// <summary>The last part of the behaviour of every cluster store: a store belongs to one cluster. If another cluster
/// was created under the same name, the store must notice. A store's test class inherits this, and through it all other
/// facts.</summary>
public abstract class ClusterStoreIdentityConformanceTests : ClusterStoreMembershipConformanceTests
{
    /// <summary>Removes everything of a cluster from its place, as an operator may do at any time.</summary>
    /// <param name="clusterName">The cluster.</param>
    protected abstract Task WipeAsync(string clusterName);

    [ConformanceFact]
    public async Task Replaced_ByAClusterWithAHigherVersion_IsNeverReadAsTheOwnOne()
    {
        var store = await CreateAsync();
        await SwapAsync(store, StoreTables.WithNewMember(ClusterTable.CreateEmpty(16)));
        var (other, table) = await ReplaceAsync();

        await CheckForeignAsync(() => store.ReadTableAsync(TableConsistency.Consistent, None).AsTask(), other);
        await CheckForeignAsync(() => store.ReadTableAsync(TableConsistency.Stale, None).AsTask(), other);
        await CheckForeignAsync(() => store.ReadMetaAsync(None).AsTask(), other);
        await CheckForeignAsync(() => store.WaitForChangeAsync(1, None).AsTask(), other);
        await CheckForeignAsync(() => store.WaitForChangeAsync(0, None).AsTask(), other);
        await CheckForeignAsync(() => store.ReadStampAsync(TableConsistency.Stale, None).AsTask(), other);
        await CheckForeignAsync(() => store.ReadStampAsync(TableConsistency.Consistent, None).AsTask(), other);
        StoreTables.CheckSame(table, await Open().ReadTableAsync(TableConsistency.Consistent, None));
    }

    [ConformanceFact]
    public async Task Replaced_ByAnotherCluster_IsNeverChanged()
    {
        var store = await CreateAsync();
        var own = await SwapAsync(store, StoreTables.WithNewMember(ClusterTable.CreateEmpty(16)));
        var (other, table) = await ReplaceAsync();

        await CheckForeignAsync(() => store.CompareAndSwapAsync(StoreTables.WithNewMember(own), null, None).AsTask(), other);
        await CheckForeignAsync(() => store.CompareAndSwapAsync(StoreTables.WithNewMember(table), null, None).AsTask(), other);
        await CheckForeignAsync(() => store.CreateAsync(StoreTables.NewMeta(ClusterName), None).AsTask(), other);
        StoreTables.CheckSame(table, await Open().ReadTableAsync(TableConsistency.Consistent, None));
    }

    [ConformanceFact]
    public async Task Replaced_ByAnotherCluster_TheLeaseIsLostAndCannotBeHadAgain()
    {
        var former = await JoinAsync("a");
        var lease = await former.AcquireEventuallyAsync();
        var (other, table) = await ReplaceAsync();
        var node = await JoinAsync("b");

        Assert.False(await lease.IsHeldAsync(None));
        Assert.False(await lease.IsHeldAsync(None));
        await CheckForeignAsync(() => former.Store.TryAcquireCoordinatorAsync(former.Node, None).AsTask(), other);
        await lease.DisposeAsync();
        var next = await node.AcquireEventuallyAsync();
        await CheckForeignAsync(() => former.Store.TryAcquireCoordinatorAsync(former.Node, None).AsTask(), other);
        Assert.True(await next.IsHeldAsync(None));
        var successor = StoreTables.WithNewMember(table);
        Assert.Equal(SwapOutcome.Swapped, await node.Store.CompareAndSwapAsync(successor, next, None));
    }

    [ConformanceFact]
    public async Task Wiped_WithoutASuccessor_ReadsNothingAndCreatesNoOtherCluster()
    {
        var node = await JoinAsync("a");
        var lease = await node.AcquireEventuallyAsync();
        await WipeAsync(ClusterName);

        Assert.False(await lease.IsHeldAsync(None));
        Assert.Null(await Open().ReadMetaAsync(None));
        await Assert.ThrowsAsync<ClusterStoreException>(
            () => node.Store.ReadTableAsync(TableConsistency.Consistent, None).AsTask());
        await Assert.ThrowsAsync<ClusterStoreException>(() => node.Store.WaitForChangeAsync(1, None).AsTask());
        await Assert.ThrowsAnyAsync<Exception>(
            () => node.Store.CreateAsync(StoreTables.NewMeta(ClusterName), None).AsTask());
        Assert.Null(await Open().ReadMetaAsync(None));
    }

    [ConformanceFact]
    public async Task Wiped_WhileSomebodyWaits_EndsTheWait()
    {
        var store = await CreateAsync();
        var waiting = store.WaitForChangeAsync(1, None).AsTask();
        await ReplaceAsync();

        await Assert.ThrowsAsync<ClusterStoreException>(() => waiting).WaitAsync(Bound);
    }

    // The new cluster has had more changes than the old one, so only the identity tells the two apart.
    private async Task<(ClusterMeta Meta, ClusterTable Table)> ReplaceAsync()
    {
        await WipeAsync(ClusterName);
        var store = Open();
        var meta = await store.CreateAsync(StoreTables.NewMeta(ClusterName), None);
        var table = ClusterTable.CreateEmpty(16);
        for (var change = 0; change < 4; change++)
            table = await SwapAsync(store, StoreTables.WithNewMember(table));
        return (meta, table);
    }

    private static async Task CheckForeignAsync(Func<Task> operation, ClusterMeta other)
    {
        var failure = await Assert.ThrowsAsync<ClusterStoreException>(operation);
        Assert.Equal(ClusterStoreError.Incompatible, failure.Kind);
        Assert.Contains($"{other.ClusterId}", failure.Message, StringComparison.Ordinal);
    }
}
