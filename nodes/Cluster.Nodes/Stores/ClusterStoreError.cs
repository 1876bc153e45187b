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
}
