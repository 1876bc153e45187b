namespace Cluster.Glue.Wire;

/// <summary>What a lane of a link carries. Values are wire format.</summary>
internal enum LaneRole : byte
{
    /// <summary>Opens the link; heartbeats, cancellation, drain. Calls of peers that have no other lane.</summary>
    Control = 0,

    /// <summary>Calls and answers.</summary>
    Calls = 1,

    /// <summary>Calls and answers in chunks; opened when the first one needs it.</summary>
    Bulk = 2,
}
