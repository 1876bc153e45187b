namespace Cluster.Nodes.Stores.Memory;

/// <summary>The coordinator's right in an in-memory cluster. It is valid while the cluster is in the lease's term; the
/// cluster's lock protects that. Owned by the node that acquired it.</summary>
internal sealed class InMemoryCoordinatorLease(InMemoryCluster cluster, long term) : ICoordinatorLease
{
    public InMemoryCluster Cluster { get; } = cluster;

    /// <summary>The number of this lease; each new lease of the cluster gets a higher one.</summary>
    public long Term { get; } = term;

    public ValueTask<bool> IsHeldAsync(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return ValueTask.FromResult(Cluster.IsHeldBy(this));
    }

    public ValueTask DisposeAsync()
    {
        Cluster.Release(this);
        return ValueTask.CompletedTask;
    }
}
