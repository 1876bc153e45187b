namespace Cluster.Nodes.Liveness;

/// <summary>The judgement on one incarnation of a node.</summary>
internal enum LivenessState
{
    /// <summary>Unknown: the node cannot be reached, or this process cannot prove anything about its address.</summary>
    Unknown,

    /// <summary>Its process exists, though it may be paused.</summary>
    Alive,

    /// <summary>Its process is gone, and that is proven.</summary>
    Dead,
}
