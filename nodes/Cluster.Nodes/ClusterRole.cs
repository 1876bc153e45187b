namespace Cluster.Nodes;

/// <summary>What part a process plays in the cluster.</summary>
public enum ClusterRole
{
    /// <summary>A member: it offers services and owns partitions.</summary>
    Node,

    /// <summary>It watches the table and routes calls and state operations to the nodes, but owns nothing and offers
    /// nothing.</summary>
    Client,
}
