using Cluster.Contracts;
using Cluster.Nodes;
using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Testing.Stores;

/// <summary>A store whose first swap ends without an answer, for stores whose place always answers. Owned by one
/// test.</summary>
/// <param name="store">The store that does the work.</param>
/// <param name="isWritten">Whether the swap happens all the same.</param>
public sealed class UnansweredSwapStore(IClusterStore store, bool isWritten) : IClusterStore
{
    private int _swaps;

    /// <inheritdoc />
    public string Description => store.Description;

    /// <inheritdoc />
    public async ValueTask<SwapOutcome> CompareAndSwapAsync(
        ClusterTable successor, ICoordinatorLease? coordinator, CancellationToken cancellationToken)
    {
        if (Interlocked.Increment(ref _swaps) > 1)
            return await store.CompareAndSwapAsync(successor, coordinator, cancellationToken);
        if (isWritten)
            await store.CompareAndSwapAsync(successor, coordinator, cancellationToken);
        throw new ClusterStoreException(ClusterStoreError.Unreachable, "The answer was lost.");
    }

    /// <inheritdoc />
    public ValueTask<ClusterMeta?> ReadMetaAsync(CancellationToken cancellationToken) =>
        store.ReadMetaAsync(cancellationToken);

    /// <inheritdoc />
    public ValueTask<ClusterMeta> CreateAsync(ClusterMeta proposed, CancellationToken cancellationToken) =>
        store.CreateAsync(proposed, cancellationToken);

    /// <inheritdoc />
    public ValueTask<ClusterTable> ReadTableAsync(TableConsistency consistency, CancellationToken cancellationToken) =>
        store.ReadTableAsync(consistency, cancellationToken);

    /// <inheritdoc />
    public ValueTask<TableStamp> ReadStampAsync(TableConsistency consistency, CancellationToken cancellationToken) =>
        store.ReadStampAsync(consistency, cancellationToken);

    /// <inheritdoc />
    public ValueTask<TableStamp> WaitForChangeAsync(long knownVersion, CancellationToken cancellationToken) =>
        store.WaitForChangeAsync(knownVersion, cancellationToken);

    /// <inheritdoc />
    public ValueTask<INodeRegistration> RegisterAsync(
        NodeId node, string address, CancellationToken cancellationToken) =>
        store.RegisterAsync(node, address, cancellationToken);

    /// <inheritdoc />
    public ValueTask<ICoordinatorLease?> TryAcquireCoordinatorAsync(NodeId node, CancellationToken cancellationToken) =>
        store.TryAcquireCoordinatorAsync(node, cancellationToken);

    /// <inheritdoc />
    public ValueTask<bool> IsProvenDeadAsync(NodeId node, CancellationToken cancellationToken) =>
        store.IsProvenDeadAsync(node, cancellationToken);

    /// <inheritdoc />
    public ValueTask DisposeAsync() => store.DisposeAsync();
}
