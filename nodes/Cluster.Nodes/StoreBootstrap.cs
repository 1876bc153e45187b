namespace Cluster.Nodes;

/// <summary>Who may create a cluster in a store that holds none yet.</summary>
public enum StoreBootstrap
{
    /// <summary>Only a node with <see cref="ClusterOptions.Bootstrap"/>, so that a wrong address does not make a new
    /// cluster.</summary>
    OnRequest,

    /// <summary>Every node: the store is embedded, and its place belongs to this cluster alone.</summary>
    ByItself,
}
