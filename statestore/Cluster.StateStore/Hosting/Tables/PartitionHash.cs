using Cluster.Slim.Hosting;

namespace Cluster.StateStore.Hosting.Tables;

/// <summary>Maps canonical key bytes to partitions, the same way on every node of a cluster. The top bits of the hash
/// choose the partition, so that a later split keeps halves together; the low bits are left to the index inside a
/// partition.</summary>
public sealed class PartitionHash
{
    private readonly ulong _seed;
    private readonly int _shift;

    /// <summary>Makes the hash of a cluster.</summary>
    /// <param name="meta">Partition count and seed.</param>
    public PartitionHash(ClusterMeta meta)
    {
        ArgumentNullException.ThrowIfNull(meta);
        if (!BitOperations.IsPow2(meta.PartitionCount) || meta.PartitionCount > ClusterMeta.MaxPartitionCount)
        {
            throw new ArgumentException(
                $"The partition count must be a power of two up to {ClusterMeta.MaxPartitionCount}; it is " +
                $"{meta.PartitionCount}.", nameof(meta));
        }

        ClusterId = meta.ClusterId;
        PartitionCount = meta.PartitionCount;
        _seed = meta.HashSeed;
        _shift = 64 - BitOperations.Log2((uint)meta.PartitionCount);
    }

    /// <summary>The identity of the cluster whose hash this is. Every message between stores bears it.</summary>
    public Guid ClusterId { get; }

    /// <summary>How many partitions there are.</summary>
    public int PartitionCount { get; }

    /// <summary>The hash of a key.</summary>
    /// <param name="key">Its canonical bytes.</param>
    public ulong Hash(ReadOnlySpan<byte> key) => XxHash3.Hash(key, _seed);

    /// <summary>The partition of a hash.</summary>
    /// <param name="hash">The hash of a key.</param>
    public PartitionId PartitionOf(ulong hash) =>
        // A shift by 64 would be a shift by 0, so a single partition is its own case.
        new(PartitionCount == 1 ? 0 : (int)(hash >> _shift));
}
