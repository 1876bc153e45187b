namespace Cluster.ConventionTests.TestKit.Simulation;

/// <summary>The toy programs: one that is right, and one for each mistake that the simulator must find.</summary>
public enum ToyVariant
{
    /// <summary>Keeps every promise.</summary>
    Right,

    /// <summary>Nodes answer reads from copies that lag behind.</summary>
    AnswersStaleReads,

    /// <summary>The owner acknowledges writes before they are on the disk.</summary>
    LosesAcknowledgedWrites,

    /// <summary>A repeated request runs again.</summary>
    ExecutesRetries,

    /// <summary>A table of another cluster is applied if its version is higher.</summary>
    AppliesForeignTables,

    /// <summary>A request to drain is not obeyed.</summary>
    NeverLeaves,

    /// <summary>The coordinator writes the table without end.</summary>
    WritesWithoutEnd,

    /// <summary>A table is applied although its version is lower than that of the applied one.</summary>
    GoesBackToOldTables,

    /// <summary>A node that has restarted answers no client.</summary>
    IsSilentAfterARestart,
}
