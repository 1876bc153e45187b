namespace Cluster.Nodes.Stores.Memory;

/// <summary>What the in-memory stores of one process share: nodes whose stores were made from the same hub see the same
/// clusters. Owned by the code that composes the nodes, usually the service container; a concurrent dictionary protects
/// it.</summary>
public sealed class InMemoryClusterHub
{
    private readonly ConcurrentDictionary<string, InMemoryCluster> _clusters = new(StringComparer.Ordinal);

    /// <summary>Forgets a cluster, as when an operator empties a store. The stores that belong to it refuse from then
    /// on; a cluster that is created under the same name is another one.</summary>
    /// <param name="clusterName">The cluster's name.</param>
    public void Remove(string clusterName)
    {
        ArgumentNullException.ThrowIfNull(clusterName);
        if (_clusters.TryRemove(clusterName, out var removed))
            removed.End();
    }

    internal InMemoryCluster ClusterOf(string clusterName) =>
        _clusters.GetOrAdd(clusterName, static name => new InMemoryCluster(name));
}
