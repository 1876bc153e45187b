namespace Cluster.Nodes.Liveness;

/// <summary>The answer of a liveness endpoint. Only the first two can be proof of death, and only where the address
/// counts.</summary>
internal enum LivenessAnswer
{
    /// <summary>The kernel refused the connection: no process listens.</summary>
    Refused,

    /// <summary>Another incarnation of a node listens there, so the expected one no longer does.</summary>
    OtherIncarnation,

    /// <summary>The expected incarnation has answered.</summary>
    Alive,

    /// <summary>The other side has shown no certificate that is trusted here. Proves nothing: an operator may just be
    /// changing certificates.</summary>
    NotTrusted,

    /// <summary>No answer in time, or an unintelligible one: paused, cut off or overloaded. Proves nothing.</summary>
    Silent,
}
