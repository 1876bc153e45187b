namespace Cluster.Nodes.Liveness;

/// <summary>What a liveness endpoint answered. Only the first two can be proof of death, and only where the address
/// counts.</summary>
internal enum LivenessAnswer
{
    /// <summary>The kernel refused the connection: nobody listens.</summary>
    Refused,

    /// <summary>Another life of a node listens there, so the one that was asked for no longer does.</summary>
    OtherIncarnation,

    /// <summary>The life that was asked for has answered.</summary>
    Alive,

    /// <summary>The other side has shown no certificate that is trusted here. Proves nothing: certificates may just be
    /// changed.</summary>
    NotTrusted,

    /// <summary>No answer in time, or an unintelligible one: paused, cut off or overloaded. Proves nothing.</summary>
    Silent,
}
