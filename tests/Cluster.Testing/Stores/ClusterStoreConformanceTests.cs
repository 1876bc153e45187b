using Cluster.Contracts;
using Cluster.Nodes;
using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Tables;
using Xunit;

namespace Cluster.Testing.Stores;

/// <summary>The behaviour of every cluster store. A store's test class inherits this and opens stores of the same
/// place; each call stands for one node. Here: the cluster's properties and its table.</summary>
public abstract class ClusterStoreConformanceTests : IAsyncLifetime
{
    /// <summary>The maximum time for an operation of a store that should complete at once.</summary>
    protected static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly ConcurrentBag<IClusterStore> _opened = [];

    /// <summary>A cluster name that no other test uses.</summary>
    protected string ClusterName { get; } = $"c-{Guid.NewGuid():N}"[..14];

    /// <summary>The token of operations that are not cancelled.</summary>
    protected static CancellationToken None => CancellationToken.None;

    /// <inheritdoc />
    public virtual Task InitializeAsync() => Task.CompletedTask;

    /// <inheritdoc />
    public virtual async Task DisposeAsync()
    {
        foreach (var store in _opened)
            await store.DisposeAsync();
    }

    /// <summary>Opens the store of one more node in the same place.</summary>
    /// <param name="clusterName">The cluster.</param>
    protected abstract IClusterStore OpenCore(string clusterName);

    /// <summary>Opens the store of one more node; it is closed with the test.</summary>
    /// <param name="clusterName">The cluster; by default this test's own.</param>
    protected IClusterStore Open(string? clusterName = null)
    {
        var store = OpenCore(clusterName ?? ClusterName);
        _opened.Add(store);
        return store;
    }

    /// <summary>Opens a store and bootstraps the cluster.</summary>
    /// <param name="partitionCount">The number of partitions.</param>
    protected async Task<IClusterStore> CreateAsync(int partitionCount = 16)
    {
        var store = Open();
        await store.CreateAsync(StoreTables.NewMeta(ClusterName, partitionCount), None);
        return store;
    }

    /// <summary>Fails the test unless the operation fails with this kind of store error.</summary>
    /// <param name="kind">The expected kind.</param>
    /// <param name="operation">The operation that should fail.</param>
    protected static async Task<ClusterStoreException> CheckFailsAsync(ClusterStoreError kind, Func<Task> operation)
    {
        var failure = await Assert.ThrowsAsync<ClusterStoreException>(operation);
        Assert.Equal(kind, failure.Kind);
        return failure;
    }

    [ConformanceFact]
    public async Task ReadMeta_NothingCreated_ReturnsNull() => Assert.Null(await Open().ReadMetaAsync(None));

    [ConformanceFact]
    public async Task Table_NothingCreated_IsRefusedWithTheRemedy()
    {
        var store = Open();

        var failure = await CheckFailsAsync(
            ClusterStoreError.Unusable, () => store.ReadTableAsync(TableConsistency.Consistent, None).AsTask());
        await CheckFailsAsync(ClusterStoreError.Unusable, () => store.WaitForChangeAsync(0, None).AsTask());
        await CheckFailsAsync(
            ClusterStoreError.Unusable, () => store.ReadStampAsync(TableConsistency.Consistent, None).AsTask());
        var proposal = StoreTables.WithNewMember(ClusterTable.CreateEmpty(16));
        await CheckFailsAsync(
            ClusterStoreError.Unusable, () => store.CompareAndSwapAsync(proposal, null, None).AsTask());

        Assert.Contains("Cluster:Bootstrap", failure.Message, StringComparison.Ordinal);
    }

    [ConformanceFact]
    public async Task Create_FirstTime_EverybodyReadsMetaAndEmptyTable()
    {
        var proposed = StoreTables.NewMeta(ClusterName);
        var created = await Open().CreateAsync(proposed, None);

        var other = Open();
        Assert.Equal(proposed, created);
        Assert.Equal(proposed, await other.ReadMetaAsync(None));
        StoreTables.CheckSame(
            ClusterTable.CreateEmpty(16), await other.ReadTableAsync(TableConsistency.Consistent, None));
    }

    [ConformanceFact]
    public async Task Create_SecondTime_ReturnsWhatStandsAndKeepsTheTable()
    {
        var store = await CreateAsync();
        var standing = StoreTables.WithNewMember(await store.ReadTableAsync(TableConsistency.Consistent, None));
        await store.CompareAndSwapAsync(standing, null, None);

        var second = await Open().CreateAsync(StoreTables.NewMeta(ClusterName, 64), None);

        Assert.Equal(await store.ReadMetaAsync(None), second);
        Assert.Equal(16, second.PartitionCount);
        StoreTables.CheckSame(standing, await store.ReadTableAsync(TableConsistency.Consistent, None));
    }

    [ConformanceFact]
    public async Task Create_ByManyAtOnce_OneStandsForAll()
    {
        var created = await Task.WhenAll(Enumerable.Range(0, 8).Select(
            _ => Task.Run(async () => await Open(ClusterName).CreateAsync(StoreTables.NewMeta(ClusterName), None))));

        Assert.Single(created.Distinct());
    }

    [ConformanceFact]
    public async Task Create_UnusableProperties_AreRefused()
    {
        var store = Open();
        var good = StoreTables.NewMeta(ClusterName);

        await CheckRefusedAsync(good with { Name = "other" });
        await CheckRefusedAsync(good with { ClusterId = Guid.Empty });
        await CheckRefusedAsync(good with { PartitionCount = 48 });
        await CheckRefusedAsync(good with { PartitionCount = 2 * ClusterMeta.MaxPartitionCount });
        await CheckRefusedAsync(good with { FormatVersion = 2 });
        Assert.Null(await store.ReadMetaAsync(None));

        Task CheckRefusedAsync(ClusterMeta meta) =>
            Assert.ThrowsAsync<ArgumentException>(() => store.CreateAsync(meta, None).AsTask());
    }

    [ConformanceFact]
    public async Task Swap_Successor_StandsForEverybody()
    {
        var store = await CreateAsync();
        var table = StoreTables.WithNewMember(await store.ReadTableAsync(TableConsistency.Consistent, None));

        Assert.Equal(SwapOutcome.Swapped, await store.CompareAndSwapAsync(table, null, None));
        var other = Open();
        StoreTables.CheckSame(table, await other.ReadTableAsync(TableConsistency.Consistent, None));
        var activated = StoreTables.WithActive(table, table.Members[0].Slot);
        Assert.Equal(SwapOutcome.Swapped, await other.CompareAndSwapAsync(activated, null, None));
        var owned = StoreTables.WithFirstOwner(activated, table.Members[0].Slot);
        Assert.Equal(SwapOutcome.Swapped, await store.CompareAndSwapAsync(owned, null, None));
        StoreTables.CheckSame(owned, await other.ReadTableAsync(TableConsistency.Consistent, None));
        await Eventually.TrueAsync(
            async () => (await other.ReadTableAsync(TableConsistency.Stale, None)).Version == owned.Version, Bound);
    }

    [ConformanceFact]
    public async Task Swap_LargestTable_IsReadBack()
    {
        var store = await CreateAsync(ClusterMeta.MaxPartitionCount);
        var table = await store.ReadTableAsync(TableConsistency.Consistent, None);
        table = await SwapAsync(store, StoreTables.WithNewMember(table));
        table = await SwapAsync(store, StoreTables.WithActive(table, table.Members[0].Slot));
        table = await SwapAsync(store, StoreTables.WithFirstOwner(table, table.Members[0].Slot));

        StoreTables.CheckSame(table, await Open().ReadTableAsync(TableConsistency.Consistent, None));
    }

    [ConformanceFact]
    public async Task Swap_OtherVersionThanTheNext_IsAConflictAndChangesNothing()
    {
        var store = await CreateAsync();
        var first = await store.ReadTableAsync(TableConsistency.Consistent, None);
        var second = await SwapAsync(store, StoreTables.WithNewMember(first));

        Assert.Equal(SwapOutcome.Conflict, await store.CompareAndSwapAsync(StoreTables.WithNewMember(first), null, None));
        var tooNew = StoreTables.WithNewMember(StoreTables.WithNewMember(second));
        Assert.Equal(SwapOutcome.Conflict, await store.CompareAndSwapAsync(tooNew, null, None));
        StoreTables.CheckSame(second, await store.ReadTableAsync(TableConsistency.Consistent, None));
    }

    [ConformanceFact]
    public async Task Swap_EightWriters_ExactlyOneWinsEachVersion()
    {
        await CreateAsync();
        var wins = await Task.WhenAll(Enumerable.Range(0, 8).Select(writer => Task.Run(() => WriteAsync(writer))));

        var versions = wins.SelectMany(won => won).Order().ToArray();
        Assert.Equal(Enumerable.Range(2, 8 * 5).Select(version => (long)version), versions);

        async Task<List<long>> WriteAsync(int writer)
        {
            var store = Open();
            var won = new List<long>();
            while (won.Count < 5)
            {
                var table = StoreTables.WithNewMember(
                    await store.ReadTableAsync(TableConsistency.Consistent, None), $"writer-{writer}");
                if (await store.CompareAndSwapAsync(table, null, None) == SwapOutcome.Swapped)
                    won.Add(table.Version);
            }

            return won;
        }
    }

    [ConformanceFact]
    public async Task Swap_RepeatedAfterAnUnknownOutcome_IsRecognisedByItsNonce()
    {
        var store = await CreateAsync();
        var table = await SwapAsync(
            store, StoreTables.WithNewMember(await store.ReadTableAsync(TableConsistency.Consistent, None)));

        Assert.Equal(SwapOutcome.Swapped, await Open().CompareAndSwapAsync(table, null, None));
        var rival = table with { ProposerNonce = Guid.NewGuid() };
        Assert.Equal(SwapOutcome.Conflict, await store.CompareAndSwapAsync(rival, null, None));
        await SwapAsync(store, StoreTables.WithNewMember(table));
        Assert.Equal(SwapOutcome.Conflict, await store.CompareAndSwapAsync(table, null, None));
    }

    [ConformanceFact]
    public async Task Swap_WithoutNonce_IsRefused()
    {
        var store = await CreateAsync();
        var table = StoreTables.WithNewMember(await store.ReadTableAsync(TableConsistency.Consistent, None));

        await Assert.ThrowsAsync<ArgumentException>(
            () => store.CompareAndSwapAsync(table with { ProposerNonce = Guid.Empty }, null, None).AsTask());
    }

    [ConformanceFact]
    public async Task Swap_IllegalChange_IsRefusedAndChangesNothing()
    {
        var store = await CreateAsync();
        var table = await SwapAsync(
            store, StoreTables.WithNewMember(await store.ReadTableAsync(TableConsistency.Consistent, None)));
        table = await SwapAsync(store, StoreTables.WithActive(table, table.Members[0].Slot));
        table = await SwapAsync(store, StoreTables.WithFirstOwner(table, table.Members[0].Slot));
        var next = StoreTables.Next(table);

        await CheckRefusedAsync(next with { Partitions = table.Partitions.RemoveAt(0) });
        await CheckRefusedAsync(next with { Partitions = table.Partitions.SetItem(3, PartitionEntry.Unowned) });
        var backwards = table.Partitions[3] with { Epoch = default };
        await CheckRefusedAsync(next with { Partitions = table.Partitions.SetItem(3, backwards) });
        StoreTables.CheckSame(table, await store.ReadTableAsync(TableConsistency.Consistent, None));

        Task CheckRefusedAsync(ClusterTable illegal) =>
            Assert.ThrowsAsync<ArgumentException>(() => store.CompareAndSwapAsync(illegal, null, None).AsTask());
    }

    [ConformanceFact]
    public async Task Clusters_SideBySide_DoNotSeeEachOther()
    {
        var store = await CreateAsync();
        var neighbour = Open(ClusterName + "-2");

        Assert.Null(await neighbour.ReadMetaAsync(None));
        await neighbour.CreateAsync(StoreTables.NewMeta(ClusterName + "-2", 32), None);
        await SwapAsync(neighbour, StoreTables.WithNewMember(ClusterTable.CreateEmpty(32)));
        var node = NodeId.NewIncarnation("a");
        await using var here = await store.RegisterAsync(node, "http://127.0.0.1:1", None);
        await using var there = await neighbour.RegisterAsync(NodeId.NewIncarnation("a"), "http://127.0.0.1:2", None);
        await using var lease = await store.TryAcquireCoordinatorAsync(node, None);

        Assert.Equal(1, (await store.ReadTableAsync(TableConsistency.Consistent, None)).Version);
        Assert.Equal(2, (await neighbour.ReadTableAsync(TableConsistency.Consistent, None)).Version);
        Assert.NotNull(lease);
    }

    [ConformanceFact]
    public async Task Operations_CancelledToken_EndAsCancelled()
    {
        var store = await CreateAsync();
        var table = StoreTables.WithNewMember(ClusterTable.CreateEmpty(16));
        var node = NodeId.NewIncarnation("a");
        var cancelled = new CancellationToken(canceled: true);

        await CheckCancelledAsync(() => store.ReadMetaAsync(cancelled).AsTask());
        await CheckCancelledAsync(() => store.CreateAsync(StoreTables.NewMeta(ClusterName), cancelled).AsTask());
        await CheckCancelledAsync(() => store.ReadTableAsync(TableConsistency.Stale, cancelled).AsTask());
        await CheckCancelledAsync(() => store.CompareAndSwapAsync(table, null, cancelled).AsTask());
        await CheckCancelledAsync(() => store.WaitForChangeAsync(1, cancelled).AsTask());
        await CheckCancelledAsync(() => store.RegisterAsync(node, "http://127.0.0.1:1", cancelled).AsTask());
        await CheckCancelledAsync(() => store.TryAcquireCoordinatorAsync(node, cancelled).AsTask());
        await CheckCancelledAsync(() => store.IsProvenDeadAsync(node, cancelled).AsTask());

        static Task CheckCancelledAsync(Func<Task> operation) =>
            Assert.ThrowsAnyAsync<OperationCanceledException>(operation);
    }

    [ConformanceFact]
    public async Task Store_Disposed_RefusesAndMayBeDisposedAgain()
    {
        var store = await CreateAsync();
        await store.DisposeAsync();
        await store.DisposeAsync();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => store.ReadMetaAsync(None).AsTask());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => store.WaitForChangeAsync(1, None).AsTask());
        Assert.NotNull(await Open().ReadMetaAsync(None));
    }

    [ConformanceFact]
    public void Description_SaysWhatAndWhere() => Assert.Contains(ClusterName, Open().Description, StringComparison.Ordinal);

    /// <summary>Writes the next table by compare-and-swap. Fails the test if the swap is refused.</summary>
    /// <param name="store">The store.</param>
    /// <param name="successor">The next table.</param>
    protected static async Task<ClusterTable> SwapAsync(IClusterStore store, ClusterTable successor)
    {
        ArgumentNullException.ThrowIfNull(store);
        Assert.Equal(SwapOutcome.Swapped, await store.CompareAndSwapAsync(successor, null, None));
        return successor;
    }
}
