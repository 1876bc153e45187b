using Cluster.Contracts;
using Cluster.Nodes.Stores;
using Cluster.StateStore.Partitions;

namespace Cluster.Nodes.Tests.Clusters;

/// <summary>A store that does not answer the first time it is asked for something. Shared by the parts of one node.</summary>
internal sealed class UnsteadyStore(IClusterStore store) : IClusterStore
{
    private int _reads;
    private int _registrations;

    public string Description => store.Description;

    public ValueTask<ClusterTable> ReadTableAsync(TableConsistency consistency, CancellationToken cancellation)
    {
        // Every second one, because the table is read at several places.
        if (Interlocked.Increment(ref _reads) % 2 == 1) throw Away();
        return store.ReadTableAsync(consistency, cancellation);
    }

    public ValueTask<INodeRegistration> RegisterAsync(NodeId node, string address, CancellationToken cancellation)
    {
        if (Interlocked.Increment(ref _registrations) == 1) throw Away();
        return store.RegisterAsync(node, address, cancellation);
    }

    public ValueTask<ClusterMeta?> ReadMetaAsync(CancellationToken cancellation) => store.ReadMetaAsync(cancellation);

    public ValueTask<ClusterMeta> CreateAsync(ClusterMeta proposed, CancellationToken cancellation) =>
        store.CreateAsync(proposed, cancellation);

    public ValueTask<SwapOutcome> CompareAndSwapAsync(
        ClusterTable successor, ICoordinatorLease? coordinator, CancellationToken cancellation) =>
        store.CompareAndSwapAsync(successor, coordinator, cancellation);

    public ValueTask<long> WaitForChangeAsync(long knownVersion, CancellationToken cancellation) =>
        store.WaitForChangeAsync(knownVersion, cancellation);

    public ValueTask<ICoordinatorLease?> TryAcquireCoordinatorAsync(NodeId node, CancellationToken cancellation) =>
        store.TryAcquireCoordinatorAsync(node, cancellation);

    public ValueTask<bool> IsProvenDeadAsync(NodeId node, CancellationToken cancellation) =>
        store.IsProvenDeadAsync(node, cancellation);

    public ValueTask DisposeAsync() => store.DisposeAsync();

    private static ClusterStoreException Away() => new(ClusterStoreError.Unreachable, "no answer");
}
