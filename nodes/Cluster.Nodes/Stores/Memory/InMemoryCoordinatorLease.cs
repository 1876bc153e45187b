namespace Cluster.Nodes.Stores.Memory;

/// <summary>The coordinator's right in an in-memory cluster. It stands while the cluster is in this very term; the
/// cluster's lock protects that. Owned by the node that acquired it.</summary>
internal sealed class InMemoryCoordinatorLease(InMemoryCluster cluster, long term) : ICoordinatorLease
{
    public InMemoryCluster Cluster { get; } = cluster;

    /// <summary>Tells this lease from those before and after it.</summary>
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
