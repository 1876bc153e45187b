using Cluster.Glue.Authorization;
using Cluster.Glue.Client;
using Cluster.Glue.Filters;
using Cluster.Glue.References;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Serving;

/// <summary>The receiver of answers: a link, a unary response, or a caller in this process. Thread-safe.</summary>
internal interface IReplySink
{
    /// <summary>The node at the other end.</summary>
    NodeId Peer { get; }

    /// <summary>Whether the other end has proven that it is a peer, or is in this process.</summary>
    bool IsPeer { get; }

    /// <summary>The identity of callers whose calls have no token.</summary>
    CallerIdentity Caller { get; }

    /// <summary>The binding of the calls.</summary>
    GlueBinding Binding { get; }

    /// <summary>The largest answer that the other end accepts, in bytes.</summary>
    int AnswerBytesMax { get; }

    /// <summary>The table for references in arguments and results; null if the binding cannot carry
    /// references.</summary>
    ReferenceTable? References { get; }

    /// <summary>Sends the answer of a call that has ended. The body is copied, or taken out of its buffer.</summary>
    void Answer(ulong callId, EnvelopeKind kind, WireBuffer body, ReadOnlyMemory<byte> headers = default);

    /// <summary>Whether a caller in this process still waits for its call. It then takes the result without a copy.
    /// False for all other callers.</summary>
    bool TryTakeCaller(ulong callId, OutgoingCall caller) => false;

    /// <summary>Called once for each call that has ended, after its answer if it has an answer.</summary>
    void Ended(IncomingCall call);
}
