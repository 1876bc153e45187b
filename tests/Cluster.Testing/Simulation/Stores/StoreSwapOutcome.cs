namespace Cluster.Testing.Simulation.Stores;

/// <summary>How a compare-and-swap of the table ended, as far as the proposer learns it.</summary>
public enum StoreSwapOutcome
{
    /// <summary>The proposed table stands.</summary>
    Done,

    /// <summary>Another table was first, or the swap needed the role of the coordinator; nothing was changed.</summary>
    Conflict,

    /// <summary>The proposer cannot know: the table stands, or does not, or will do so a moment later.</summary>
    Unknown,
}
