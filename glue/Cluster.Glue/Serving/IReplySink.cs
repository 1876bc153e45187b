using Cluster.Glue.Authorization;
using Cluster.Glue.Client;
using Cluster.Glue.Filters;
using Cluster.Glue.References;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Serving;

/// <summary>Where the answers of calls go: a link, a unary response, or a caller in this process.
/// Thread-safe.</summary>
internal interface IReplySink
{
    /// <summary>The node at the other end.</summary>
    NodeId Peer { get; }

    /// <summary>Whether the other end has proven that it is a peer, or is in this process.</summary>
    bool IsPeer { get; }

    /// <summary>Who calls, where a call has no token of its own.</summary>
    CallerIdentity Caller { get; }

    /// <summary>How the calls came.</summary>
    GlueBinding Binding { get; }

    /// <summary>Largest answer that the other end accepts.</summary>
    int AnswerBytesMax { get; }

    /// <summary>What arguments and results may refer to; null where they cannot.</summary>
    ReferenceTable? References { get; }

    /// <summary>Takes the answer of a call that has ended; the body is copied, or taken out of its buffer.</summary>
    void Answer(ulong callId, EnvelopeKind kind, WireBuffer body, ReadOnlyMemory<byte> headers = default);

    /// <summary>Whether a caller in this process still waits for its call, whose result it then takes as it is.
    /// Elsewhere nobody does.</summary>
    bool TryTakeCaller(ulong callId, OutgoingCall caller) => false;

    /// <summary>Called once for each call that has ended, after its answer if it has one.</summary>
    void Ended(IncomingCall call);
}
