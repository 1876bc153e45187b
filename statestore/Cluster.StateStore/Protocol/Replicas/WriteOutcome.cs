namespace Cluster.StateStore.Protocol.Replicas;

/// <summary>How a write ended.</summary>
internal enum WriteOutcome : byte
{
    /// <summary>It was judged, and its effect is committed on all in-sync members.</summary>
    Done,

    /// <summary>This node is not the primary, or no longer; the same request may be sent to the primary.</summary>
    Moved,

    /// <summary>The partition takes no writes now; the same request may be sent again.</summary>
    Busy,

    /// <summary>Nobody can tell whether the request took effect earlier.</summary>
    Unknown,

    /// <summary>The pile of the primary has no room; nothing happened.</summary>
    Full,

    /// <summary>The record changed since the operation read it; nothing happened, the operation is to run
    /// again.</summary>
    Conflict,
}
