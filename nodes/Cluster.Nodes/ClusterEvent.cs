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
    /// <summary>For lost partitions: how many entries were in them when they were counted last, the same figure in
    /// every process, or null when one of them was never counted, or is restored from a snapshot.</summary>
    public long? EntriesLost { get; init; }

    /// <summary>The reason, in words, or an empty string. For a death and for a loss: what proved the death.</summary>
    public string Reason { get; init; } = "";
}
