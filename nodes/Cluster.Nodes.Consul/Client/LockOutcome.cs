namespace Cluster.Nodes.Consul.Client;

/// <summary>How an attempt to lock a key ended.</summary>
internal enum LockOutcome
{
    /// <summary>The session holds the key.</summary>
    Acquired,

    /// <summary>Another session holds it, or the cluster was replaced meanwhile.</summary>
    Taken,

    /// <summary>Consul does not know the session any more.</summary>
    SessionGone,
}
