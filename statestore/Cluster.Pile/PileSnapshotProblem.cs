namespace Cluster.Pile;

/// <summary>The problem of a snapshot. Each value is a case in which callers would act differently.</summary>
public enum PileSnapshotProblem
{
    /// <summary>The file system failed, or is full.</summary>
    Device,

    /// <summary>The save was stopped because the pile had no room for copies of the blocks that changed.</summary>
    GivenUp,

    /// <summary>There is no snapshot.</summary>
    Missing,

    /// <summary>The content of a file is not what was written.</summary>
    Damaged,

    /// <summary>A file is not part of this snapshot, or the folder belongs to another pile.</summary>
    Foreign,

    /// <summary>A file was written by a newer version.</summary>
    Newer,

    /// <summary>The content of the snapshot does not fit into the budget.</summary>
    BudgetTooSmall,

    /// <summary>The folder or a file in it belongs to another user, or other users may write to it; see
    /// <see cref="PileOptions.AllowSharedFolder"/>.</summary>
    SharedFolder,
}
