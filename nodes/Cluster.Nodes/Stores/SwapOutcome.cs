namespace Cluster.Nodes.Stores;

/// <summary>How a compare-and-swap of the table ended. An unknown outcome is an exception, not a value.</summary>
public enum SwapOutcome
{
    /// <summary>The new table stands.</summary>
    Swapped,

    /// <summary>Somebody else changed the table first; read it again.</summary>
    Conflict,

    /// <summary>The coordinator lease that the swap was bound to is no longer held.</summary>
    LeaseLost,
}
