namespace Cluster.StateStore.Protocol.Storage;

/// <summary>What the totals of a partition need of a key. Immutable.</summary>
/// <param name="Hash">The cluster's hash of the key.</param>
/// <param name="Bytes">How many bytes the key has.</param>
internal readonly record struct CountedKey(ulong Hash, int Bytes);
