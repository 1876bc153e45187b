namespace Cluster.StateStore.Protocol.Frames;

/// <summary>Acknowledges a beacon: until its grace is over, the sender of this will take over none of the partitions
/// that it does not exclude. Immutable.</summary>
/// <param name="SentAt">The time in the beacon.</param>
/// <param name="TableVersion">The version of the table that the sender of this knows.</param>
/// <param name="Excluded">The partitions for which nothing is promised.</param>
internal sealed record BeaconAck(long SentAt, long TableVersion, ImmutableArray<PartitionId> Excluded);
