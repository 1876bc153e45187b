namespace Cluster.Testing.Simulation.Stores;

/// <summary>What has happened at a simulated store. Used by one thread.</summary>
public sealed class StoreCounts
{
    /// <summary>Reads that were answered.</summary>
    public long Reads { get; internal set; }

    /// <summary>Reads that were answered with an older table than the newest one.</summary>
    public long StaleReads { get; internal set; }

    /// <summary>Reads that were answered with the table of another cluster.</summary>
    public long ForeignReads { get; internal set; }

    /// <summary>Requests that found no store.</summary>
    public long Unreachable { get; internal set; }

    /// <summary>Swaps that were done and answered.</summary>
    public long SwapsDone { get; internal set; }

    /// <summary>Swaps that another table, or the loss of the coordinator's role, prevented.</summary>
    public long Conflicts { get; internal set; }

    /// <summary>Swaps with an unknown outcome that were not done.</summary>
    public long UnknownNotApplied { get; internal set; }

    /// <summary>Swaps with an unknown outcome that were done.</summary>
    public long UnknownApplied { get; internal set; }

    /// <summary>Those of the swaps with an unknown outcome that were done after the proposer had been
    /// answered.</summary>
    public long UnknownAppliedLate { get; internal set; }

    /// <summary>Notifications that were lost.</summary>
    public long NotificationsLost { get; internal set; }

    /// <summary>How often the role of the coordinator passed to another life.</summary>
    public long CoordinatorChanges { get; internal set; }
}
