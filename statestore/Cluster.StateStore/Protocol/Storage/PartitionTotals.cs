using Cluster.Pile.Hosting;
using Cluster.Slim.Hosting;

namespace Cluster.StateStore.Protocol.Storage;

/// <summary>What one partition contains, kept with each change of a record. Used under the shard's lock.</summary>
internal sealed class PartitionTotals
{
    /// <summary>The time in the stamp of a mark that a removal has left.</summary>
    public const long Removed = -1;

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
    public void Add(ReadOnlySpan<byte> key, in RecordStamp stamp, int valueBytes) => Change(key, stamp, valueBytes, 1);

    /// <summary>Counts a record or a mark that was taken away.</summary>
    public void Subtract(ReadOnlySpan<byte> key, in RecordStamp stamp, int valueBytes) =>
        Change(key, stamp, valueBytes, -1);

    private void Change(ReadOnlySpan<byte> key, in RecordStamp stamp, int valueBytes, int sign)
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
                DueAt = Math.Min(DueAt, stamp.Time);
        }

        var digest = DigestOf(key, stamp, valueBytes);
        Sums = new PartitionSums(
            Sums.Count + sign,
            Sums.Bytes + (sign * ((long)key.Length + valueBytes)),
            sign > 0 ? Sums.Digest + digest : Sums.Digest - digest);
    }

    private static ulong DigestOf(ReadOnlySpan<byte> key, in RecordStamp stamp, int valueBytes)
    {
        Span<byte> rest = stackalloc byte[24];
        BinaryPrimitives.WriteUInt64LittleEndian(rest, stamp.Version);
        BinaryPrimitives.WriteInt64LittleEndian(rest[8..], stamp.Time);
        BinaryPrimitives.WriteInt64LittleEndian(rest[16..], valueBytes);
        return XxHash3.Hash(rest, XxHash3.Hash(key, 0));
    }
}
