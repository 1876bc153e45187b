using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Hosting;

/// <summary>Where an attempt of an operation goes. Immutable.</summary>
/// <param name="Partition">The partition; null: no node has joined that has the state.</param>
/// <param name="Route">Its route.</param>
internal readonly record struct CallPlace(PartitionId? Partition, PartitionRoute Route)
{
    /// <summary>The node that the attempt goes to: the owner, or for a read that may be old perhaps another node with a
    /// copy; null: nobody owns the partition.</summary>
    public ClusterMember? Target { get; init; }

    /// <summary>Whether the target is this node.</summary>
    public bool IsHere { get; init; }

    /// <summary>Whether the attempt ends after <see cref="StateRouter.BriefTime"/> without an answer.</summary>
    public bool IsBrief { get; init; }

    /// <summary>Whether the target has not been heard for a while, and probably cannot answer.</summary>
    public bool IsSuspected { get; init; }
}
