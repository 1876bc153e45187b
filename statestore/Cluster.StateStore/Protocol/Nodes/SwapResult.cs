namespace Cluster.StateStore.Protocol.Nodes;

/// <summary>How a compare-and-swap of the table ended, as far as the store says it.</summary>
internal enum SwapResult : byte
{
    /// <summary>The proposed table stands.</summary>
    Done,

    /// <summary>Nothing was changed.</summary>
    Conflict,

    /// <summary>The store does not say.</summary>
    Unknown,
}
