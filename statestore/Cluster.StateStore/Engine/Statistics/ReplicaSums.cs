using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Engine.Statistics;

/// <summary>What one replica on this node contains at one moment. Immutable.</summary>
/// <param name="Partition">The partition.</param>
/// <param name="Epoch">The epoch that the node knows.</param>
/// <param name="Phase">What the replica does.</param>
/// <param name="Sums">Its committed records.</param>
internal readonly record struct ReplicaSums(PartitionId Partition, Epoch Epoch, Phase Phase, PartitionSums Sums);
