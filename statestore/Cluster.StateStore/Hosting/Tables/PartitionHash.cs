using Cluster.Slim.Hosting;

namespace Cluster.StateStore.Hosting.Tables;

/// <summary>Maps canonical key bytes to partitions, the same way on every node of a cluster. The top bits of the hash
/// choose the partition within its set, so that a later split keeps halves together; the low bits are left to the index
/// inside a partition.</summary>
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

    /// <summary>How many partitions each set has.</summary>
    public int PartitionCount { get; }

    /// <summary>How many partitions all sets together can have.</summary>
    internal int PartitionCountMax =>
        Math.Min(PartitionCount * PartitionEntry.MaxInSync, ClusterMeta.MaxPartitionCount);

    /// <summary>The hash of a key.</summary>
    /// <param name="key">Its canonical bytes.</param>
    public ulong Hash(ReadOnlySpan<byte> key) => XxHash3.Hash(key, _seed);

    /// <summary>The partition of a hash.</summary>
    /// <param name="hash">The hash of a key.</param>
    /// <param name="set">The first partition of the set; by default that of the first set.</param>
    public PartitionId PartitionOf(ulong hash, PartitionId set = default) =>
        // A shift by 64 would be a shift by 0, so a single partition is its own case.
        new(set.Value + (PartitionCount == 1 ? 0 : (int)(hash >> _shift)));

    /// <summary>The number of the set of a partition, counted from zero.</summary>
    internal int SetOf(PartitionId partition) => partition.Value / PartitionCount;

    /// <summary>The number of a partition within its set.</summary>
    internal int IndexOf(PartitionId partition) => partition.Value & (PartitionCount - 1);

    /// <summary>The lowest and the highest hash whose keys belong to a partition.</summary>
    internal (ulong First, ulong Last) RangeOf(PartitionId partition)
    {
        var width = ulong.MaxValue / (ulong)PartitionCount;
        var first = PartitionCount == 1 ? 0 : (ulong)IndexOf(partition) * (width + 1);
        return (first, first + width);
    }

    /// <summary>Whether the keys with a hash belong to a partition of some set.</summary>
    internal bool IsIn(ulong hash, PartitionId partition) => PartitionOf(hash).Value == IndexOf(partition);
}
