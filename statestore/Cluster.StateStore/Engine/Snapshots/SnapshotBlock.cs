namespace Cluster.StateStore.Engine.Snapshots;

/// <summary>What a block of a snapshot has, in the order of the blocks.</summary>
internal enum SnapshotBlock : byte
{
    /// <summary>Of which partition the snapshot is, and up to which entry it has everything.</summary>
    Head = 1,

    /// <summary>Records.</summary>
    Records = 2,

    /// <summary>Answers to requests.</summary>
    Requests = 3,

    /// <summary>The newest entry that may be in the snapshot. A file without this block was not completed.</summary>
    End = 4,

    /// <summary>The descriptions of the layouts of values.</summary>
    Layouts = 5,
}
