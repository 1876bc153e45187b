using Cluster.Glue.Observation;
using Cluster.Glue.Tls;
using Cluster.Glue.Wire;
using Cluster.Slim;

namespace Cluster.Glue.Settings;

/// <summary>The frozen copy of the options that both ends of a link have; client and server add their own.
/// Immutable.</summary>
internal abstract record EndSettings
{
    protected EndSettings(ILinkOptions options)
    {
        Deadline = Patient(options.DefaultDeadline, GlueLimits.DefaultDeadline);
        HeartbeatInterval = Patient(options.HeartbeatInterval, GlueLimits.HeartbeatInterval);
        ResumeWindow = Patient(options.ResumeWindow, GlueLimits.ResumeWindow);
        MaxMessageBytes = options.MaxMessageBytes;
        WindowBytes = options.WindowBytes;
        Compression = options.Compression;
        MaxCallsInFlight = options.MaxCallsInFlight;
        MaxSendQueueBytes = options.MaxSendQueueBytes;
        StreamWindowItems = options.StreamWindowItems;
        StreamWindowBytes = options.StreamWindowBytes;
        MaxReferences = options.MaxReferences;
        PeerKeys = PeerKeys.Of(options.PeerIdentity);
        Tls = options.Tls;
        Node = options.Node ?? NodeId.NewIncarnation(Environment.MachineName);
        ConfigureTypes = options.ConfigureTypes;
        Time = options.TimeProvider;

        // A user who steps through a method must not reach its deadline.
        TimeSpan Patient(TimeSpan time, TimeSpan byDefault) =>
            DebuggerTimeouts.Stretch(time, byDefault, options.IsDebugged);
    }

    public TimeSpan Deadline { get; }

    public TimeSpan HeartbeatInterval { get; }

    public TimeSpan ResumeWindow { get; init; }

    public int MaxMessageBytes { get; }

    public int WindowBytes { get; }

    public GlueCompression Compression { get; }

    public int MaxCallsInFlight { get; }

    public long MaxSendQueueBytes { get; }

    public int StreamWindowItems { get; }

    public int StreamWindowBytes { get; }

    public int MaxReferences { get; }

    /// <summary>The secrets by which this side proves itself and checks its peers; null: none.</summary>
    public PeerKeys? PeerKeys { get; init; }

    /// <summary>The TLS options. The certificates are read again for each connection, so that they can change; null:
    /// defaults.</summary>
    public GlueTlsOptions? Tls { get; }

    public NodeId Node { get; }

    public Action<SlimOptions>? ConfigureTypes { get; }

    public TimeProvider Time { get; }

    /// <summary>The settings of a link after the handshake of both ends.</summary>
    /// <param name="peer">The Hello of the other end.</param>
    /// <param name="secret">The secret of the link.</param>
    /// <param name="peerName">The name of the peer, for messages.</param>
    /// <param name="metrics">The meter of the link.</param>
    public LinkSettings ToLink(Hello peer, LinkSecret secret, string peerName, GlueMetrics metrics) => new()
    {
        PeerName = peerName,
        Peer = peer.Node,
        Secret = secret,
        ResumeWindow = peer.ResumeWindow < ResumeWindow ? peer.ResumeWindow : ResumeWindow,
        MaxLinkAge = Timeout.InfiniteTimeSpan,
        MaxMessageBytes = Math.Min(MaxMessageBytes, peer.MaxMessageBytes),
        MaxCallsInFlight = Math.Max(1, Math.Min(MaxCallsInFlight, peer.MaxCallsInFlight)),
        ServedCallsMax = MaxCallsInFlight,
        MaxSendQueueBytes = MaxSendQueueBytes,
        StreamWindowItems = StreamWindowItems,
        StreamWindowBytes = StreamWindowBytes,
        MaxReferences = MaxReferences,
        HeartbeatInterval = HeartbeatInterval,
        Time = Time,
        Metrics = metrics,
    };
}
