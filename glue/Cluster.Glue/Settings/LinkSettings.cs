using Cluster.Glue.Authorization;
using Cluster.Glue.Filters;
using Cluster.Glue.Observation;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Settings;

/// <summary>What a link needs to know of its side's settings and of what the handshake found. Immutable.</summary>
internal sealed record LinkSettings
{
    /// <summary>For messages: the address or node at the other end.</summary>
    public required string PeerName { get; init; }

    public required NodeId Peer { get; init; }

    /// <summary>What filters are told of its calls.</summary>
    public GlueBinding Binding { get; init; } = GlueBinding.Link;

    /// <summary>Lets further streams carry the link's substreams.</summary>
    public required LinkSecret Secret { get; init; }

    /// <summary>By which further streams join, where both sides have proven themselves; null: they have not.</summary>
    public LinkKey? Key { get; init; }

    /// <summary>What the peer may call.</summary>
    public PeerAccess Access { get; init; } = PeerAccess.NoProof;

    /// <summary>Whether the peer has proven itself, or is in this process.</summary>
    public bool IsPeer => Access is PeerAccess.Granted or PeerAccess.OtherListener;

    /// <summary>The user whom the peer has shown when it opened the link.</summary>
    public CallerIdentity Caller { get; init; } = CallerIdentity.Nobody;

    /// <summary>How long a substream may be without a stream: the shorter of both sides' times.</summary>
    public required TimeSpan ResumeWindow { get; init; }

    /// <summary>Time in which the side that opened the link has to join a substream over a stream that it
    /// has.</summary>
    public TimeSpan JoinTimeout { get; init; } = Timeout.InfiniteTimeSpan;

    /// <summary>How long the side that opened the link keeps a substream on one stream.</summary>
    public required TimeSpan MaxLinkAge { get; init; }

    /// <summary>Largest payload that both sides accept.</summary>
    public required int MaxMessageBytes { get; init; }

    /// <summary>Calls that this side may have under way: the smaller of both sides' limits.</summary>
    public required int MaxCallsInFlight { get; init; }

    /// <summary>Calls that the other side may have under way here.</summary>
    public required int ServedCallsMax { get; init; }

    public required long MaxSendQueueBytes { get; init; }

    /// <summary>Items that a producer of the peer may be ahead of its reader here.</summary>
    public int StreamWindowItems { get; init; } = GlueLimits.StreamWindowItems;

    /// <summary>Bytes of items that a producer of the peer may be ahead of its reader here.</summary>
    public int StreamWindowBytes { get; init; } = GlueLimits.StreamWindowBytes;

    /// <summary>Objects and streams that the two sides may refer to.</summary>
    public int MaxReferences { get; init; } = GlueLimits.MaxReferences;

    public required TimeSpan HeartbeatInterval { get; init; }

    public required TimeProvider Time { get; init; }

    public GlueMetrics Metrics { get; init; } = GlueMetrics.Of(null);

    /// <summary>What peers are told of the failures of streams.</summary>
    public GlueExceptionDetail ExceptionDetail { get; init; } = GlueExceptionDetail.WithoutStack;

    /// <summary>Largest item of a stream that both sides accept.</summary>
    public int ItemBytesMax => MaxMessageBytes - GlueWire.EnvelopeHeaderBytesMax;

    /// <summary>Whether another stream may follow one that was cut.</summary>
    public bool IsResumable => !Secret.IsNone && ResumeWindow > TimeSpan.Zero;
}
