namespace Shop.Node;

/// <summary>Everything that one node process is told by its parent. Immutable.</summary>
/// <param name="Name">The node's name.</param>
/// <param name="Cluster">Which cluster it belongs to and where that is kept.</param>
/// <param name="InitialNodeCount">How many nodes the cluster waits for before it gives out partitions.</param>
/// <param name="CanBootstrap">Whether the node may create the cluster in Consul.</param>
internal sealed record NodeSettings(string Name, ClusterPlace Cluster, int InitialNodeCount, bool CanBootstrap);
