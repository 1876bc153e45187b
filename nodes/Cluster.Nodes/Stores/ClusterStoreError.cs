namespace Cluster.Nodes.Stores;

/// <summary>Why a cluster store refused.</summary>
public enum ClusterStoreError
{
    /// <summary>No answer within the deadline. A write may or may not have happened; try again later.</summary>
    Unreachable,

    /// <summary>The store refused the credentials. Trying again does not help.</summary>
    Denied,

    /// <summary>What is stored is not what this version of the library writes. Trying again does not help.</summary>
    Incompatible,

    /// <summary>The store's place cannot be used, such as a folder that is not writable.</summary>
    Unusable,

    /// <summary>The store holds no cluster any more, although this process has read its cluster there before. The nodes
    /// write it again when they agree; see <c>docs/operations.md</c>.</summary>
    Emptied,
}
