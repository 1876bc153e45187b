namespace Cluster.Nodes;

/// <summary>Why a node did not start, or how it ended, as the exit code of the process; the numbers follow the BSD
/// convention where it has one. A process whose <c>Main</c> catches nothing and returns nothing ends with these codes
/// by itself; one that returns a number of its own from <c>Main</c> ends with that number.</summary>
public enum ClusterExitCode
{
    /// <summary>The cluster listed this node no more, so it stopped: <c>EX_NOUSER</c>.</summary>
    Expelled = 67,

    /// <summary>The store has no answer, or no cluster, in time: <c>EX_UNAVAILABLE</c>.</summary>
    StoreUnreachable = 69,

    /// <summary>The port is in use or may not be opened: <c>EX_OSERR</c>.</summary>
    PortUnusable = 71,

    /// <summary>The store's place cannot be used, such as a folder that is not writable: <c>EX_CANTCREAT</c>.</summary>
    StoreUnusable = 73,

    /// <summary>The node stopped before it had handed all its partitions to the nodes that were there to take them:
    /// <c>EX_IOERR</c>.</summary>
    DrainIncomplete = 74,

    /// <summary>A living node has the same name: <c>EX_TEMPFAIL</c>.</summary>
    NameTaken = 75,

    /// <summary>What is stored belongs to another cluster or another version: <c>EX_PROTOCOL</c>.</summary>
    StoreIncompatible = 76,

    /// <summary>The store refused the credentials: <c>EX_NOPERM</c>.</summary>
    StoreDenied = 77,

    /// <summary>The configuration is wrong: <c>EX_CONFIG</c>.</summary>
    ConfigurationInvalid = 78,
}
