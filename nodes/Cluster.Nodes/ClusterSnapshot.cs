namespace Cluster.Nodes;

/// <summary>The cluster as this process knew it at one moment: who is in it, and who owns what. Immutable; a newer
/// version replaces it whole.</summary>
/// <param name="Version">Grows with each change; 0 before the host has started.</param>
/// <param name="Nodes">The nodes that have not left, in no particular order.</param>
/// <param name="Partitions">All partitions, each at the index of its number.</param>
public sealed record ClusterSnapshot(
    long Version, IReadOnlyList<NodeDescription> Nodes, IReadOnlyList<PartitionDescription> Partitions);
