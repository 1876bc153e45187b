namespace Cluster.Nodes;

/// <summary>When a refused connection to a node's liveness endpoint counts as proof that its process is gone. A cluster
/// store that can prove it by itself, as the file store can, is always asked as well.</summary>
public enum ProofOfDeath
{
    /// <summary>For loopback addresses of the machine that asks.</summary>
    Loopback,

    /// <summary>For every address. Only where each address belongs to one machine for good, with nothing in between
    /// that refuses connections in its name, such as a proxy or a firewall.</summary>
    SameKernelAddress,

    /// <summary>Never: only the cluster store can prove it.</summary>
    StoreOnly,
}
