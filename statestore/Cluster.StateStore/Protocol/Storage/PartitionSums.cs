namespace Cluster.StateStore.Protocol.Storage;

/// <summary>What a partition contains.</summary>
/// <param name="Count">The records.</param>
/// <param name="Bytes">The bytes of keys and values.</param>
/// <param name="Digest">A sum of hashes over key, version and value; equal contents have equal digests.</param>
internal readonly record struct PartitionSums(long Count, long Bytes, ulong Digest);
