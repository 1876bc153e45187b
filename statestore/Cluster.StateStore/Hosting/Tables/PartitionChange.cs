namespace Cluster.StateStore.Hosting.Tables;

/// <summary>What happens to one partition from one table version to the next. The only legal changes there
/// are.</summary>
public enum PartitionChange
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>T0: a partition that nobody has owned gets its first owner and its backups.</summary>
    FirstAssignment,

    /// <summary>T1: an in-sync member becomes primary, the old primary is no longer in sync.</summary>
    TakeOver,

    /// <summary>T2 or T2b: a member other than the primary is no longer in sync.</summary>
    Shrink,

    /// <summary>T3: the joining member is in sync.</summary>
    Join,

    /// <summary>T4: an in-sync member becomes primary, the in-sync set stays.</summary>
    PlannedMove,

    /// <summary>T5: the contents are declared lost, another member starts empty.</summary>
    DeclareLost,

    /// <summary>T6: who receives a copy, becomes primary next, or leaves; nothing else changes.</summary>
    Target,
}
