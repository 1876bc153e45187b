using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Hosting;

/// <summary>Where an attempt of an operation goes. Immutable.</summary>
/// <param name="Partition">The partition; null: no node has joined that has the state.</param>
/// <param name="Route">Its route.</param>
internal readonly record struct CallPlace(PartitionId? Partition, PartitionRoute Route);
