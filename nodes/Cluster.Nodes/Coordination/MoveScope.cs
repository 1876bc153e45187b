namespace Cluster.Nodes.Coordination;

/// <summary>Which partitions the coordinator moves at the moment.</summary>
internal enum MoveScope
{
    /// <summary>Only those of members that want to leave: while the member list is still changing, nothing else is
    /// settled.</summary>
    Draining,

    /// <summary>Also those that an even distribution gives to others.</summary>
    Balancing,
}
