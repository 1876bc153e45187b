using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Hosting.Calls;

/// <summary>What an operation needs to run on this node's own store. Immutable.</summary>
/// <param name="Partition">The partition of the key.</param>
/// <param name="Request">The identity of a write that may be repeated; null: it is not repeated.</param>
internal readonly record struct RunTarget(PartitionId Partition, RequestId? Request);
