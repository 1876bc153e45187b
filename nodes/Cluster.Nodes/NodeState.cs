namespace Cluster.Nodes;

/// <summary>How far a node has come in its life.</summary>
public enum NodeState
{
    /// <summary>It has entered the cluster and owns nothing yet.</summary>
    Joining,

    /// <summary>It serves.</summary>
    Active,

    /// <summary>It hands its partitions to other nodes and then leaves.</summary>
    Draining,
}
