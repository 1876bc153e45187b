namespace Cluster.Nodes.Liveness;

/// <summary>What is known about one life of a node.</summary>
internal enum LivenessState
{
    /// <summary>Nothing either way: cut off, or nobody here can prove anything about its address.</summary>
    Unknown,

    /// <summary>Its process exists, though it may be paused.</summary>
    Alive,

    /// <summary>Its process is gone, and that is proven.</summary>
    Dead,
}
