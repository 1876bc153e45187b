namespace Cluster.Nodes;

/// <summary>What a <see cref="ClusterEvent"/> tells.</summary>
public enum ClusterEventKind
{
    /// <summary>A node has become active.</summary>
    NodeJoined,

    /// <summary>A node has begun to hand its partitions over.</summary>
    NodeDraining,

    /// <summary>A node has left after handing over what it had.</summary>
    NodeLeft,

    /// <summary>A node that still owned something is gone; proven, not guessed.</summary>
    NodeDied,

    /// <summary>Partitions have lost their contents with a node and have begun again, empty, with another.</summary>
    PartitionsLost,

    /// <summary>Partitions have passed from one node to another with everything in them.</summary>
    PartitionsMoved,

    /// <summary>Partitions have got their first owner.</summary>
    PartitionsAssigned,

    /// <summary>The cluster store has stopped answering. What runs goes on; joins, moves and takeovers wait.</summary>
    StoreUnreachable,

    /// <summary>The cluster store answers again.</summary>
    StoreReachable,

    /// <summary>Partitions have fewer copies than their states ask for, because a node is gone or too few have
    /// joined.</summary>
    CopiesMissing,

    /// <summary>All partitions have as many copies as their states ask for.</summary>
    CopiesComplete,

    /// <summary>This node has written the cluster's table again into the cluster store, which was emptied.</summary>
    StoreRestored,
}
