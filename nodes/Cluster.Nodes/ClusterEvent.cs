using Cluster.Contracts;

namespace Cluster.Nodes;

/// <summary>Something that happened in the cluster, as this process learned of it. Immutable.</summary>
/// <param name="Kind">What.</param>
/// <param name="At">When this process learned of it.</param>
/// <param name="TableVersion">The version of the table that tells it.</param>
/// <param name="Node">The node it is about: who joined, left or died, lost partitions, or got them; null where
/// none.</param>
/// <param name="PartitionCount">How many partitions it is about.</param>
public sealed record ClusterEvent(
    ClusterEventKind Kind, DateTimeOffset At, long TableVersion, NodeId? Node, int PartitionCount)
{
    /// <summary>
    /// For lost partitions: how many entries were in them when their node last reported, or null where this process
    /// did not know.
    /// </summary>
    public long? EntriesLost { get; init; }

    /// <summary>The reason, in words, or an empty string.</summary>
    public string Reason { get; init; } = "";
}
