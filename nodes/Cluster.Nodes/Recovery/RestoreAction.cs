namespace Cluster.Nodes.Recovery;

/// <summary>What a node does about a store that was emptied.</summary>
internal enum RestoreAction
{
    /// <summary>It writes nothing, because members are missing whose table may be newer.</summary>
    WaitForMembers,

    /// <summary>It writes nothing, because another member has a newer table, or the same one and a smaller
    /// slot.</summary>
    LeaveToOther,

    /// <summary>It writes its table.</summary>
    Write,
}
