namespace Cluster.Nodes.Stores.Memory;

/// <summary>A node's announcement in an in-memory cluster, which cannot forget it; the cluster's lock protects it.
/// Disposing it ends this incarnation of the node, and from then on the store can prove that.</summary>
internal sealed class InMemoryRegistration(InMemoryCluster cluster, NodeId node) : INodeRegistration
{
    public ValueTask BeatAsync(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        ObjectDisposedException.ThrowIf(!cluster.IsRegistered(node), this);
        return ValueTask.CompletedTask;
    }

    public ValueTask DisposeAsync()
    {
        cluster.Withdraw(node);
        return ValueTask.CompletedTask;
    }
}
