namespace Cluster.StateStore.Protocol.Replicas;

/// <summary>What a node does with one partition. A serving partition without a lease is suspended: it answers nothing
/// until the lease is back.</summary>
internal enum Phase : byte
{
    /// <summary>It holds nothing.</summary>
    Absent,

    /// <summary>It receives a copy.</summary>
    Copying,

    /// <summary>It is a backup and has every acknowledged write.</summary>
    InSync,

    /// <summary>It is the new primary, and brings the backups to its log.</summary>
    Promoting,

    /// <summary>It is the primary.</summary>
    Serving,

    /// <summary>It has proposed to hand its role over, and does not know the outcome.</summary>
    Sealed,

    /// <summary>It removes what it holds.</summary>
    Dropping,

    /// <summary>It keeps what an earlier life of the node has left, as the base of a copy, and answers nothing from
    /// it.</summary>
    Kept,
}
