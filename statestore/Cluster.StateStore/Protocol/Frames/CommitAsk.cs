namespace Cluster.StateStore.Protocol.Frames;

/// <summary>The question of a backup how far the primary has committed. Immutable.</summary>
/// <param name="Partition">The partition.</param>
/// <param name="Epoch">The epoch of the backup.</param>
/// <param name="SentAt">When it was sent, by the clock of the backup.</param>
internal sealed record CommitAsk(PartitionId Partition, long Epoch, long SentAt);
