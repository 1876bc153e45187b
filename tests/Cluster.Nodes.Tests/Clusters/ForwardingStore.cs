using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Tests.Clusters;

/// <summary>A store that forwards all calls to another one. Derived stores change single calls. Shared by the parts of
/// one node.</summary>
internal class ForwardingStore(IRestorableClusterStore store) : IRestorableClusterStore
{
    /// <summary>Runs before a node registers.</summary>
    public Action? OnRegistration { get; init; }

    /// <summary>Runs with the new table before the store swaps it.</summary>
    public Func<ClusterTable, Task>? BeforeSwap { get; init; }

    /// <summary>Whether the answer to a wait for a change is lost, so that the wait does not end.</summary>
    public Func<bool>? LosesPolls { get; init; }

    public bool IsRestoredByNodes => store.IsRestoredByNodes;

    public string Description => store.Description;

    public virtual ValueTask<ClusterTable> ReadTableAsync(
        TableConsistency consistency, CancellationToken cancellationToken) =>
        store.ReadTableAsync(consistency, cancellationToken);

    public virtual ValueTask<INodeRegistration> RegisterAsync(
        NodeId node, string address, CancellationToken cancellationToken)
    {
        OnRegistration?.Invoke();
        return store.RegisterAsync(node, address, cancellationToken);
    }

    public ValueTask<ClusterMeta?> ReadMetaAsync(CancellationToken cancellationToken) =>
        store.ReadMetaAsync(cancellationToken);

    public ValueTask<ClusterMeta> CreateAsync(ClusterMeta proposed, CancellationToken cancellationToken) =>
        store.CreateAsync(proposed, cancellationToken);

    public ValueTask<bool> RestoreAsync(ClusterMeta meta, ClusterTable table, CancellationToken cancellationToken) =>
        store.RestoreAsync(meta, table, cancellationToken);

    public async ValueTask<SwapOutcome> CompareAndSwapAsync(
        ClusterTable successor, ICoordinatorLease? coordinator, CancellationToken cancellationToken)
    {
        if (BeforeSwap is { } before)
            await before(successor);
        return await store.CompareAndSwapAsync(successor, coordinator, cancellationToken);
    }

    public virtual ValueTask<TableStamp> ReadStampAsync(
        TableConsistency consistency, CancellationToken cancellationToken) =>
        store.ReadStampAsync(consistency, cancellationToken);

    public async ValueTask<TableStamp> WaitForChangeAsync(long knownVersion, CancellationToken cancellationToken)
    {
        var stamp = await store.WaitForChangeAsync(knownVersion, cancellationToken);
        if (LosesPolls?.Invoke() == true)
            await Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, cancellationToken);
        return stamp;
    }

    public ValueTask<ICoordinatorLease?> TryAcquireCoordinatorAsync(NodeId node, CancellationToken cancellationToken) =>
        store.TryAcquireCoordinatorAsync(node, cancellationToken);

    public ValueTask<bool> IsProvenDeadAsync(NodeId node, CancellationToken cancellationToken) =>
        store.IsProvenDeadAsync(node, cancellationToken);

    public ValueTask DisposeAsync() => store.DisposeAsync();
}
