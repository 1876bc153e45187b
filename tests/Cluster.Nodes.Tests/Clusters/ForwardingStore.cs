using Cluster.Contracts;
using Cluster.Nodes.Stores;
using Cluster.StateStore.Partitions;

namespace Cluster.Nodes.Tests.Clusters;

/// <summary>A store that asks another one; a test changes what it needs. Shared by the parts of one node.</summary>
internal class ForwardingStore(IClusterStore store) : IClusterStore
{
    /// <summary>Runs before a node registers.</summary>
    public Action? OnRegistration { get; init; }

    /// <summary>Runs before a table is swapped, with that table.</summary>
    public Func<ClusterTable, Task>? BeforeSwap { get; init; }

    public string Description => store.Description;

    public virtual ValueTask<ClusterTable> ReadTableAsync(
        TableConsistency consistency, CancellationToken cancellation) =>
        store.ReadTableAsync(consistency, cancellation);

    public virtual ValueTask<INodeRegistration> RegisterAsync(
        NodeId node, string address, CancellationToken cancellation)
    {
        OnRegistration?.Invoke();
        return store.RegisterAsync(node, address, cancellation);
    }

    public ValueTask<ClusterMeta?> ReadMetaAsync(CancellationToken cancellation) => store.ReadMetaAsync(cancellation);

    public ValueTask<ClusterMeta> CreateAsync(ClusterMeta proposed, CancellationToken cancellation) =>
        store.CreateAsync(proposed, cancellation);

    public async ValueTask<SwapOutcome> CompareAndSwapAsync(
        ClusterTable successor, ICoordinatorLease? coordinator, CancellationToken cancellation)
    {
        if (BeforeSwap is { } before)
            await before(successor);
        return await store.CompareAndSwapAsync(successor, coordinator, cancellation);
    }

    public ValueTask<long> WaitForChangeAsync(long knownVersion, CancellationToken cancellation) =>
        store.WaitForChangeAsync(knownVersion, cancellation);

    public ValueTask<ICoordinatorLease?> TryAcquireCoordinatorAsync(NodeId node, CancellationToken cancellation) =>
        store.TryAcquireCoordinatorAsync(node, cancellation);

    public ValueTask<bool> IsProvenDeadAsync(NodeId node, CancellationToken cancellation) =>
        store.IsProvenDeadAsync(node, cancellation);

    public ValueTask DisposeAsync() => store.DisposeAsync();
}
