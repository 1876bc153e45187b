namespace Cluster.Nodes.Coordination;

/// <summary>Which partitions the coordinator moves at the moment.</summary>
internal enum MoveScope
{
    /// <summary>Only partitions of members that are leaving. The coordinator uses this while the member list is still
    /// changing.</summary>
    Draining,

    /// <summary>Also partitions that an even distribution gives to other members.</summary>
    Balancing,
}
