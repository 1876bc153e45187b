namespace Cluster.Glue.Links;

/// <summary>What a link needs to know of its side's settings and of what the handshake found. Immutable.</summary>
internal sealed record LinkSettings
{
    /// <summary>For messages: the address or node at the other end.</summary>
    public required string PeerName { get; init; }

    public required Cluster.Contracts.NodeId Peer { get; init; }

    /// <summary>Largest payload that both sides accept.</summary>
    public required int FrameBytesMax { get; init; }

    /// <summary>Calls that this side may have under way: the smaller of both sides' limits.</summary>
    public required int CallsInFlightMax { get; init; }

    /// <summary>Calls that the other side may have under way here.</summary>
    public required int ServedCallsMax { get; init; }

    public required long SendQueueBytesMax { get; init; }

    public required TimeSpan HeartbeatInterval { get; init; }

    public required TimeProvider Time { get; init; }
}
