using System.Collections.Concurrent;

namespace Cluster.Nodes.Stores.Memory;

/// <summary>
/// What the in-memory stores of one process share: nodes whose stores were made from the same hub see the same
/// clusters. Owned by whoever composes the nodes, usually the service container; a concurrent dictionary protects it.
/// </summary>
public sealed class InMemoryClusterHub
{
    private readonly ConcurrentDictionary<string, InMemoryCluster> _clusters = new(StringComparer.Ordinal);

    internal InMemoryCluster ClusterOf(string clusterName) =>
        _clusters.GetOrAdd(clusterName, static _ => new InMemoryCluster());
}
