namespace Cluster.Nodes.Handoff;

/// <summary>What the table said about a partition when all its records had arrived. Immutable.</summary>
/// <param name="TableVersion">The table that named this node as the target.</param>
/// <param name="LossCount">The partition's loss count in it.</param>
internal sealed record StagedPartition(long TableVersion, int LossCount);
