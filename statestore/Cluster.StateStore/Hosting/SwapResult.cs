namespace Cluster.StateStore.Hosting;

/// <summary>How a proposal of a table to the cluster store ended.</summary>
public enum SwapResult
{
    /// <summary>The proposed table stands.</summary>
    Done,

    /// <summary>It does not stand and never will: another table came first, or the role of the coordinator is
    /// lost.</summary>
    Conflict,

    /// <summary>The store has not answered; the table may stand.</summary>
    Unknown,
}
