using Cluster.Glue.Observation;
using Cluster.Glue.Tls;
using Cluster.Glue.Wire;
using Cluster.Slim;

namespace Cluster.Glue.Settings;

/// <summary>The frozen copy of what both ends of a link may set alike; client and server add what is their own.
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

        // Nobody who steps through a method is to meet its deadline.
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

    /// <summary>What this side proves, and asks its peers to prove; null: nothing.</summary>
    public PeerKeys? PeerKeys { get; init; }

    /// <summary>Read again for each connection, so that certificates can change; null: defaults.</summary>
    public GlueTlsOptions? Tls { get; }

    public NodeId Node { get; }

    public Action<SlimOptions>? ConfigureTypes { get; }

    public TimeProvider Time { get; }

    /// <summary>What a link keeps to, as both ends find it when they have shaken hands.</summary>
    /// <param name="peer">What the other end says of itself.</param>
    /// <param name="secret">The link's.</param>
    /// <param name="peerName">For messages.</param>
    /// <param name="metrics">Where the link counts.</param>
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
