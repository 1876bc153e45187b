namespace Cluster.StateStore.Protocol.Nodes;

/// <summary>What a node wants to become in the member list. A goal only rises.</summary>
internal enum MemberGoal
{
    /// <summary>An active member.</summary>
    Active,

    /// <summary>A member that hands over what it has, and stays in the list.</summary>
    Drained,

    /// <summary>The same, and it leaves the list when it has nothing more.</summary>
    GoneWhenEmpty,

    /// <summary>The node leaves the list at once, also if it still holds partitions.</summary>
    Gone,
}
