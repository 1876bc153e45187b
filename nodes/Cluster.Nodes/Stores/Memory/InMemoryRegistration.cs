namespace Cluster.Nodes.Stores.Memory;

/// <summary>A node's announcement in an in-memory cluster. Registers again where the hub has forgotten the cluster.
/// Disposing it ends this incarnation of the node, and from then on the store can prove that. Used by one caller at a
/// time.</summary>
internal sealed class InMemoryRegistration(Func<InMemoryCluster> find, InMemoryCluster cluster, NodeId node)
    : INodeRegistration
{
    private InMemoryCluster _cluster = cluster;

    public ValueTask BeatAsync(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        ObjectDisposedException.ThrowIf(!_cluster.IsRegistered(node), this);
        var current = find();
        if (current != _cluster && current.TryRegister(node))
            _cluster = current;
        return ValueTask.CompletedTask;
    }

    public ValueTask DisposeAsync()
    {
        _cluster.Withdraw(node);
        return ValueTask.CompletedTask;
    }
}
