using Cluster.Glue.Authorization;
using Cluster.Glue.Tls;
using Cluster.Slim;

namespace Cluster.Glue.Settings;

/// <summary>The options that both ends of a link have. Client and server options implement it.</summary>
internal interface ILinkOptions
{
    TimeSpan DefaultDeadline { get; }

    TimeSpan HeartbeatInterval { get; }

    TimeSpan ResumeWindow { get; }

    int MaxMessageBytes { get; }

    int WindowBytes { get; }

    GlueCompression Compression { get; }

    int MaxCallsInFlight { get; }

    long MaxSendQueueBytes { get; }

    int StreamWindowItems { get; }

    int StreamWindowBytes { get; }

    int MaxReferences { get; }

    GluePeerIdentity? PeerIdentity { get; }

    GlueTlsOptions? Tls { get; }

    NodeId? Node { get; }

    Action<SlimOptions>? ConfigureTypes { get; }

    TimeProvider TimeProvider { get; }

    /// <summary>Whether default times are stretched.</summary>
    bool IsDebugged { get; }
}
