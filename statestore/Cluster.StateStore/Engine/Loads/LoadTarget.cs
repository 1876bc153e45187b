using Cluster.StateStore.Hosting.States;

namespace Cluster.StateStore.Engine.Loads;

/// <summary>What a caller asks for that loads a value where it is missing. Immutable.</summary>
/// <param name="Key">The key.</param>
/// <param name="Partition">Its partition.</param>
/// <param name="Token">The number that the caller has chosen for its right.</param>
/// <param name="GivesUp">Whether it gives its right back.</param>
internal readonly record struct LoadTarget(HashedKey Key, PartitionId Partition, long Token, bool GivesUp);
