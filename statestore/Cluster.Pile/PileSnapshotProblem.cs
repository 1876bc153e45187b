namespace Cluster.Pile;

/// <summary>What was wrong with a snapshot, as far as callers would act differently.</summary>
public enum PileSnapshotProblem
{
    /// <summary>The file system failed, or is full.</summary>
    Device,

    /// <summary>The save was given up because the pile had no room for copies of the blocks that changed.</summary>
    GivenUp,

    /// <summary>There is no snapshot.</summary>
    Missing,

    /// <summary>A file is not as it was written.</summary>
    Damaged,

    /// <summary>A file belongs to something else.</summary>
    Foreign,

    /// <summary>A file was written by a newer version.</summary>
    Newer,

    /// <summary>What the snapshot holds does not fit into the budget.</summary>
    BudgetTooSmall,

    /// <summary>The folder or a file in it belongs to another user, or other users may write to it; see
    /// <see cref="PileOptions.AllowSharedFolder"/>.</summary>
    SharedFolder,
}
