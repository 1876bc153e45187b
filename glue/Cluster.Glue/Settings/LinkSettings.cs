using Cluster.Glue.Authorization;
using Cluster.Glue.Filters;
using Cluster.Glue.Observation;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Settings;

/// <summary>The settings of a link: those of its side, and the results of the handshake. Immutable.</summary>
internal sealed record LinkSettings
{
    /// <summary>The address or node at the other end, for messages.</summary>
    public required string PeerName { get; init; }

    public required NodeId Peer { get; init; }

    /// <summary>The binding that filters see for its calls.</summary>
    public GlueBinding Binding { get; init; } = GlueBinding.Link;

    /// <summary>The secret by which further streams may carry the link's substreams.</summary>
    public required LinkSecret Secret { get; init; }

    /// <summary>The key by which further streams join, where both sides have proven themselves; null: they have
    /// not.</summary>
    public LinkKey? Key { get; init; }

    /// <summary>The services that the peer may call.</summary>
    public PeerAccess Access { get; init; } = PeerAccess.NoProof;

    /// <summary>Whether the peer has proven itself, or is in this process.</summary>
    public bool IsPeer => Access is PeerAccess.Granted or PeerAccess.OtherListener;

    /// <summary>The user that the peer has shown when it opened the link.</summary>
    public CallerIdentity Caller { get; init; } = CallerIdentity.Nobody;

    /// <summary>How long a substream may be without a stream: the shorter time of both sides.</summary>
    public required TimeSpan ResumeWindow { get; init; }

    /// <summary>The time in which the opener of the link must join a substream over a stream.</summary>
    public TimeSpan JoinTimeout { get; init; } = Timeout.InfiniteTimeSpan;

    /// <summary>How long the side that opened the link keeps a substream on one stream.</summary>
    public required TimeSpan MaxLinkAge { get; init; }

    /// <summary>The largest payload that both sides accept.</summary>
    public required int MaxMessageBytes { get; init; }

    /// <summary>The calls that this side may have under way: the smaller limit of both sides.</summary>
    public required int MaxCallsInFlight { get; init; }

    /// <summary>The calls that the other side may have under way here.</summary>
    public required int ServedCallsMax { get; init; }

    public required long MaxSendQueueBytes { get; init; }

    /// <summary>The items that a producer of the peer may be ahead of its reader here.</summary>
    public int StreamWindowItems { get; init; } = GlueLimits.StreamWindowItems;

    /// <summary>The bytes of items that a producer of the peer may be ahead of its reader here.</summary>
    public int StreamWindowBytes { get; init; } = GlueLimits.StreamWindowBytes;

    /// <summary>The objects and streams that the two sides may refer to.</summary>
    public int MaxReferences { get; init; } = GlueLimits.MaxReferences;

    public required TimeSpan HeartbeatInterval { get; init; }

    public required TimeProvider Time { get; init; }

    public GlueMetrics Metrics { get; init; } = GlueMetrics.Of(null);

    /// <summary>The detail of stream failures that peers get.</summary>
    public GlueExceptionDetail ExceptionDetail { get; init; } = GlueExceptionDetail.WithoutStack;

    /// <summary>The largest item of a stream that both sides accept.</summary>
    public int ItemBytesMax => MaxMessageBytes - GlueWire.EnvelopeHeaderBytesMax;

    /// <summary>Whether another stream may replace one that was cut.</summary>
    public bool IsResumable => !Secret.IsNone && ResumeWindow > TimeSpan.Zero;
}
