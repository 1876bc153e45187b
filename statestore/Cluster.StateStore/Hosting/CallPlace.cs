using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Hosting;

/// <summary>Where an attempt of an operation goes. Immutable.</summary>
/// <param name="Partition">The partition; null: no set of partitions has begun that has as many backups.</param>
/// <param name="Route">Its route.</param>
internal readonly record struct CallPlace(PartitionId? Partition, PartitionRoute Route);
