using Cluster.Pile.Hosting;
using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Storage;

/// <summary>What one partition contains, kept with each change of a record. Used under the shard's lock.</summary>
internal sealed class PartitionTotals
{
    /// <summary>The time in the stamp of a mark that a removal has left.</summary>
    public const long Removed = -1;

    private const ulong MixedLeft = 0x9E3779B97F4A7C15;
    private const ulong MixedRight = 0xD6E8FEB86659FD93;

    /// <summary>The marks of removals.</summary>
    public long Tombstones { get; private set; }

    /// <summary>The records that expire.</summary>
    public long Expiring { get; private set; }

    /// <summary>No record expires before this time, in ticks of UTC.</summary>
    public long DueAt { get; set; } = long.MaxValue;

    public PartitionSums Sums { get; private set; }

    /// <summary>The walk that looks for expired records; null: none is under way.</summary>
    public RecordWalk? ExpiryWalk { get; set; }

    /// <summary>The walk that drops records; null: none is under way.</summary>
    public RecordWalk? DropWalk { get; set; }

    /// <summary>Counts a record or a mark that was added.</summary>
    public void Add(CountedKey key, in RecordStamp stamp, int valueBytes) => Change(key, stamp, valueBytes, 1);

    /// <summary>Counts a record or a mark that was taken away.</summary>
    public void Subtract(CountedKey key, in RecordStamp stamp, int valueBytes) => Change(key, stamp, valueBytes, -1);

    private void Change(CountedKey key, in RecordStamp stamp, int valueBytes, int sign)
    {
        if (stamp.Time == Removed)
        {
            Tombstones += sign;
            return;
        }

        if (stamp.Time != 0)
        {
            Expiring += sign;
            if (sign > 0)
                DueAt = Math.Min(DueAt, LifeEnd.TicksOf(stamp.Time));
        }

        var digest = DigestOf(key.Hash, stamp, valueBytes);
        Sums = new PartitionSums(
            Sums.Count + sign,
            Sums.Bytes + (sign * ((long)key.Bytes + valueBytes)),
            sign > 0 ? Sums.Digest + digest : Sums.Digest - digest);
    }

    // All nodes of a cluster hash keys with one seed, so copies have equal digests.
    private static ulong DigestOf(ulong hash, in RecordStamp stamp, int valueBytes) =>
        Mix(Mix(hash, stamp.Version) ^ (ulong)stamp.Time, (ulong)valueBytes);

    private static ulong Mix(ulong left, ulong right)
    {
        var high = Math.BigMul(left ^ MixedLeft, right ^ MixedRight, out var low);
        return high ^ low;
    }
}
