namespace Cluster.Nodes;

/// <summary>One partition of the cluster's state. Immutable.</summary>
/// <param name="Partition">Its number.</param>
/// <param name="Owner">Who answers for its keys, or null while nobody does.</param>
/// <param name="LossCount">How often it has begun again empty because its owner died.</param>
public sealed record PartitionDescription(PartitionId Partition, NodeDescription? Owner, int LossCount);
