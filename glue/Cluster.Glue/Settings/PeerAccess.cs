namespace Cluster.Glue.Settings;

/// <summary>Whether a caller may call services for peers, or what it lacks.</summary>
internal enum PeerAccess
{
    /// <summary>It has not proven that it knows a secret of this server.</summary>
    NoProof,

    /// <summary>It may: it has proven itself, or is in this process.</summary>
    Granted,

    /// <summary>It has proven itself, but came through another listener than that for peers.</summary>
    OtherListener,

    /// <summary>It has proven itself, but its certificate does not have the role of a node.</summary>
    NoNodeRole,

    /// <summary>It sends unary requests, which prove nothing.</summary>
    Unary,
}
