using Cluster.Slim.Hosting;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Local;

/// <summary>Walks over the records of a sealed partition and packs them into chunks. Made for one transfer; used by one
/// sender. Fails when the partition is unsealed or dropped during the walk.</summary>
internal sealed class PartitionExport(PartitionStore partition, Epoch epoch, int life, PartitionContent content)
{
    /// <summary>A chunk is closed when it has reached this size; its last record may exceed it.</summary>
    public const int ChunkBytesMin = 256 * 1024;

    /// <summary>The bytes of the length that precedes each record in a chunk.</summary>
    public const int LengthBytes = 4;

    private readonly Guid _transfer = Guid.NewGuid();

    public Guid TransferId => _transfer;

    /// <summary>All chunks, in order. The last one carries the totals; an empty partition has that one alone.</summary>
    public IEnumerable<HandoffChunk> Chunks(Guid clusterId, HandoffState[] states)
    {
        var (sequence, total, position) = (0, 0L, 0);
        var records = new ArrayBufferWriter<byte>();
        do
        {
            records.ResetWrittenCount();

            // Read before the records, so that the time to pack them does not shorten their time to live.
            var clock = partition.ClockTicks;
            var count = Fill(records, ref position);
            total += count;
            var isLast = position >= content.Positions;
            yield return new HandoffChunk
            {
                ClusterId = clusterId,
                Source = partition.NodeIncarnation,
                TransferId = _transfer,
                Partition = partition.Id.Value,
                Epoch = epoch.Value,
                Sequence = sequence,
                States = sequence == 0 ? states : null,
                Records = records.WrittenSpan.ToArray(),
                RecordCount = count,
                ClockTicks = clock,
                Checksum = XxHash3.Hash(records.WrittenSpan, (ulong)sequence),
                Totals = isLast ? Total(total) : null,
            };
            sequence++;
        }
        while (position < content.Positions);
    }

    private int Fill(ArrayBufferWriter<byte> records, ref int position)
    {
        var count = 0;
        while (position < content.Positions && records.WrittenCount < ChunkBytesMin)
        {
            using var record = partition.ReadExported(life, position++);
            if (record is null)
                continue;
            BinaryPrimitives.WriteInt32LittleEndian(records.GetSpan(LengthBytes), record.Length);
            records.Advance(LengthBytes);
            records.Write(record.Bytes);
            count++;
        }

        return count;
    }

    private HandoffTotals Total(long count) => new()
    {
        RecordCount = count,
        LastVersion = content.LastVersion,
        TimeTicks = content.TimeTicks,
    };
}
