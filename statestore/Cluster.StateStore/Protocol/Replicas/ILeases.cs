using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Protocol.Replicas;

/// <summary>What a node knows about its peers, as the replicas need it. Times are those of the monotonic
/// clock.</summary>
internal interface ILeases
{
    /// <summary>When this node gave all its leases up, because it had missed time; nothing before counts.</summary>
    long StartedAt { get; }

    /// <summary>Returns when the lease ends that a member has given this node for a partition.</summary>
    long LeaseEnd(NodeSlot member, PartitionId partition);

    /// <summary>Returns since when a member has not been heard.</summary>
    long HeardAt(NodeSlot member);

    /// <summary>Returns whether it is proven that a member's process has ended.</summary>
    bool IsDead(NodeSlot member);
}
