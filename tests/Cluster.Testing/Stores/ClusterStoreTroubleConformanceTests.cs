using Cluster.Nodes;
using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Tables;
using Xunit;

namespace Cluster.Testing.Stores;

/// <summary>What every cluster store does in trouble: an outcome that nobody tells, a watch that is lost, a place that
/// is emptied and filled again. A store's test class inherits this, and through it all other facts. It says how trouble is
/// made in its place.</summary>
public abstract class ClusterStoreTroubleConformanceTests : ClusterStoreIdentityConformanceTests
{
    /// <summary>Opens the store of one more node whose next swap ends without an answer.</summary>
    /// <param name="isWritten">Whether the swap happens all the same.</param>
    protected abstract Task<IClusterStore> OpenWithUnknownSwapAsync(bool isWritten);

    /// <summary>Ends the trouble of <see cref="OpenWithUnknownSwapAsync"/>.</summary>
    protected virtual Task HealAsync() => Task.CompletedTask;

    /// <summary>Opens the store of one more node whose watch a test can disturb.</summary>
    protected virtual Task<IClusterStore> OpenWatchedAsync() => Task.FromResult(Open());

    /// <summary>Ends the watch of <see cref="OpenWatchedAsync"/>, or lets it never answer.</summary>
    protected virtual Task LoseWatchAsync() => Task.CompletedTask;

    /// <summary>Sets back by what the store notices changes, as when its place was restored: an index, or a file that
    /// was replaced. The table stays the same.</summary>
    protected virtual Task ResetIndexAsync() => Task.CompletedTask;

    [ConformanceFact]
    public async Task UnknownSwap_ThatHappened_IsSeenByItsNonceAndRepeatedWithoutASecondChange()
    {
        var healthy = await CreateAsync();
        var proposal = StoreTables.WithNewMember(await healthy.ReadTableAsync(TableConsistency.Consistent, None));
        var store = await OpenWithUnknownSwapAsync(isWritten: true);
        await CheckFailsAsync(
            ClusterStoreError.Unreachable, () => store.CompareAndSwapAsync(proposal, null, None).AsTask());
        await HealAsync();

        StoreTables.CheckSame(proposal, await healthy.ReadTableAsync(TableConsistency.Consistent, None));
        StoreTables.CheckSame(proposal, await store.ReadTableAsync(TableConsistency.Consistent, None));
        Assert.Equal(2, (await healthy.WaitForChangeAsync(1, None).AsTask().WaitAsync(Bound)).Version);
        Assert.Equal(SwapOutcome.Swapped, await store.CompareAndSwapAsync(proposal, null, None));
        var rival = proposal with { ProposerNonce = Guid.NewGuid() };
        Assert.Equal(SwapOutcome.Conflict, await store.CompareAndSwapAsync(rival, null, None));
        StoreTables.CheckSame(proposal, await healthy.ReadTableAsync(TableConsistency.Consistent, None));
    }

    [ConformanceFact]
    public async Task UnknownSwap_ThatDidNotHappen_IsSeenByTheOldNonceAndMayBeRepeated()
    {
        var healthy = await CreateAsync();
        var standing = await SwapAsync(
            healthy, StoreTables.WithNewMember(await healthy.ReadTableAsync(TableConsistency.Consistent, None)));
        var proposal = StoreTables.WithNewMember(standing);
        var store = await OpenWithUnknownSwapAsync(isWritten: false);
        await CheckFailsAsync(
            ClusterStoreError.Unreachable, () => store.CompareAndSwapAsync(proposal, null, None).AsTask());
        await HealAsync();

        StoreTables.CheckSame(standing, await healthy.ReadTableAsync(TableConsistency.Consistent, None));
        StoreTables.CheckSame(standing, await store.ReadTableAsync(TableConsistency.Consistent, None));
        Assert.Equal(SwapOutcome.Swapped, await store.CompareAndSwapAsync(proposal, null, None));
        StoreTables.CheckSame(proposal, await healthy.ReadTableAsync(TableConsistency.Consistent, None));
    }

    [ConformanceFact]
    public async Task UnknownSwap_OvertakenByAnother_IsAConflict()
    {
        var healthy = await CreateAsync();
        var standing = await healthy.ReadTableAsync(TableConsistency.Consistent, None);
        var proposal = StoreTables.WithNewMember(standing);
        var store = await OpenWithUnknownSwapAsync(isWritten: false);
        await CheckFailsAsync(
            ClusterStoreError.Unreachable, () => store.CompareAndSwapAsync(proposal, null, None).AsTask());
        await HealAsync();
        var winner = await SwapAsync(healthy, StoreTables.WithNewMember(standing, "rival"));

        Assert.Equal(SwapOutcome.Conflict, await store.CompareAndSwapAsync(proposal, null, None));
        StoreTables.CheckSame(winner, await store.ReadTableAsync(TableConsistency.Consistent, None));
    }

    [ConformanceFact]
    public async Task LostWatch_DoesNotHideALaterVersion()
    {
        var store = await CreateAsync();
        var watched = await OpenWatchedAsync();
        var table = await SwapAsync(store, StoreTables.WithNewMember(ClusterTable.CreateEmpty(16)));
        await FollowAsync(watched, known: 1, table.Version);
        var following = FollowAsync(watched, table.Version, table.Version + 2);

        await LoseWatchAsync();
        table = await SwapAsync(store, StoreTables.WithNewMember(table));
        await SwapAsync(store, StoreTables.WithNewMember(table));

        await following.WaitAsync(Bound);
    }

    [ConformanceFact]
    [Trait("Case", "glue-85")]
    public async Task ResetIndex_DoesNotHideALaterVersion()
    {
        var store = await CreateAsync();
        var watched = await OpenWatchedAsync();
        var table = await SwapAsync(store, StoreTables.WithNewMember(ClusterTable.CreateEmpty(16)));
        await FollowAsync(watched, known: 1, table.Version);
        var following = FollowAsync(watched, table.Version, table.Version + 1);

        await ResetIndexAsync();
        await SwapAsync(store, StoreTables.WithNewMember(table));

        // A hidden version shows itself when the watch gives up its poll, after half a minute.
        await following.WaitAsync(TimeSpan.FromSeconds(25));
    }

    [ConformanceFact]
    public async Task Emptied_EveryOperationSaysSo()
    {
        var node = await JoinAsync("a");
        var table = await SwapAsync(node.Store, StoreTables.WithNewMember(ClusterTable.CreateEmpty(16)));
        await WipeAsync(ClusterName);

        await CheckEmptiedAsync(() => node.Store.ReadTableAsync(TableConsistency.Consistent, None).AsTask());
        await CheckEmptiedAsync(() => node.Store.ReadTableAsync(TableConsistency.Stale, None).AsTask());
        await CheckEmptiedAsync(() => node.Store.ReadStampAsync(TableConsistency.Consistent, None).AsTask());
        await CheckEmptiedAsync(() => node.Store.WaitForChangeAsync(table.Version, None).AsTask());
        await CheckEmptiedAsync(() => node.Store.TryAcquireCoordinatorAsync(node.Node, None).AsTask());
        Assert.Null(await node.Store.ReadMetaAsync(None));
    }

    [ConformanceFact]
    public async Task Emptied_ThenRestored_GoesOnWithTheSameTableAndTheSameNodes()
    {
        var node = await JoinAsync("a");
        var meta = (await node.Store.ReadMetaAsync(None))!;
        var lease = await node.AcquireEventuallyAsync();
        var table = await SwapAsync(node.Store, StoreTables.WithNewMember(ClusterTable.CreateEmpty(16)));
        await WipeAsync(ClusterName);
        Assert.False(await lease.IsHeldAsync(None));

        var restored = StoreTables.Next(table);
        Assert.True(await ((IRestorableClusterStore)node.Store).RestoreAsync(meta, restored, None));
        Assert.False(await ((IRestorableClusterStore)Open()).RestoreAsync(meta, StoreTables.Next(restored), None));
        StoreTables.CheckSame(restored, await node.Store.ReadTableAsync(TableConsistency.Consistent, None));
        StoreTables.CheckSame(restored, await Open().ReadTableAsync(TableConsistency.Consistent, None));
        Assert.Equal(meta, await Open().ReadMetaAsync(None));
        var seen = await node.Store.WaitForChangeAsync(table.Version, None).AsTask().WaitAsync(Bound);
        Assert.Equal(restored.Version, seen.Version);

        // The lease is lost for ever. The node itself goes on, and may have the next one.
        var next = StoreTables.WithNewMember(restored);
        Assert.Equal(SwapOutcome.LeaseLost, await node.Store.CompareAndSwapAsync(next, lease, None));
        await lease.DisposeAsync();
        await node.Registration.BeatAsync(None);
        var again = await node.AcquireEventuallyAsync();
        Assert.Equal(SwapOutcome.Swapped, await node.Store.CompareAndSwapAsync(next, again, None));
    }

    [ConformanceFact]
    public async Task Emptied_RestoredByManyAtOnce_OneIsWritten()
    {
        var first = await CreateAsync();
        var meta = (await first.ReadMetaAsync(None))!;
        var stores = Enumerable.Range(0, 8).Select(_ => (IRestorableClusterStore)Open()).ToArray();
        foreach (var store in stores)
            await store.ReadMetaAsync(None);
        await WipeAsync(ClusterName);

        ClusterTable[] tables = [.. stores.Select(_ => StoreTables.Next(ClusterTable.CreateEmpty(16)))];
        var written = await Task.WhenAll(stores.Select(
            (store, index) => Task.Run(async () => await store.RestoreAsync(meta, tables[index], None))));

        var winner = Assert.Single(tables, table => written[Array.IndexOf(tables, table)]);
        StoreTables.CheckSame(winner, await first.ReadTableAsync(TableConsistency.Consistent, None));
    }

    [ConformanceFact]
    public async Task Emptied_AndUsedByAnotherCluster_IsNotRestored()
    {
        var store = await CreateAsync();
        var meta = (await store.ReadMetaAsync(None))!;
        await WipeAsync(ClusterName);
        var other = await Open().CreateAsync(StoreTables.NewMeta(ClusterName), None);

        await CheckFailsAsync(ClusterStoreError.Incompatible, () => ((IRestorableClusterStore)store)
            .RestoreAsync(meta, StoreTables.Next(ClusterTable.CreateEmpty(16)), None).AsTask());
        Assert.Equal(other, await Open().ReadMetaAsync(None));
        Assert.Equal(1, (await Open().ReadTableAsync(TableConsistency.Consistent, None)).Version);
    }

    private static Task<ClusterStoreException> CheckEmptiedAsync(Func<Task> operation) =>
        CheckFailsAsync(ClusterStoreError.Emptied, operation);

    // As a node does: it asks again when its watch fails.
    private static async Task FollowAsync(IClusterStore store, long known, long wanted)
    {
        while (known < wanted)
        {
            try
            {
                known = (await store.WaitForChangeAsync(known, None)).Version;
            }
            catch (ClusterStoreException failure) when (failure.Kind == ClusterStoreError.Unreachable)
            {
                // The store paces itself.
            }
        }
    }
}
