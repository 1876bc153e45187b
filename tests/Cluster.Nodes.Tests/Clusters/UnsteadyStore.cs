using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Tests.Clusters;

/// <summary>A store that does not answer the first registration and every second read. Shared by the parts of one
/// node.</summary>
internal sealed class UnsteadyStore(IRestorableClusterStore store) : ForwardingStore(store)
{
    private int _reads;
    private int _registrations;

    public override ValueTask<ClusterTable> ReadTableAsync(
        TableConsistency consistency, CancellationToken cancellationToken)
    {
        // Every second read and not only the first one, because the node reads the table at several places.
        if (Interlocked.Increment(ref _reads) % 2 == 1)
            throw Away();
        return base.ReadTableAsync(consistency, cancellationToken);
    }

    public override ValueTask<INodeRegistration> RegisterAsync(
        NodeId node, string address, CancellationToken cancellationToken)
    {
        if (Interlocked.Increment(ref _registrations) == 1)
            throw Away();
        return base.RegisterAsync(node, address, cancellationToken);
    }

    private static ClusterStoreException Away() => new(ClusterStoreError.Unreachable, "no answer");
}
