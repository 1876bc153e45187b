using Cluster.Pile.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Engine;

/// <summary>Reads the committed records of one state in one partition, some at a time, without the engine's lock. A
/// partition is a range of hashes; a part of a scan is a smaller range, so its end is all that the next part has to
/// know. Used by one request.</summary>
/// <param name="table">The records.</param>
/// <param name="hash">The hash of the cluster.</param>
/// <param name="withValues">Whether values are read.</param>
internal sealed class PartitionScan(StampedTable table, PartitionHash hash, bool withValues)
{
    // A reply holds at least one record, however large, and no more when it has reached this size.
    private const int BytesMax = 256 << 10;

    // The range of one look at the table is made for about this number of records.
    private const int RecordsPerRange = 128;

    private const int BufferBytes = 1_024;

    private readonly List<RecordImage> _records = [];
    private byte[] _buffer = new byte[BufferBytes];
    private long _bytes;

    /// <summary>The records that were read.</summary>
    public IReadOnlyCollection<RecordImage> Records => _records;

    /// <summary>Reads the next records.</summary>
    /// <param name="partition">The partition.</param>
    /// <param name="cursor">Where the scan goes on; zero at its beginning.</param>
    /// <param name="count">About how many records the partition has.</param>
    /// <param name="isOver">Whether a life that ends so is over.</param>
    /// <returns>Where the next part begins; zero at the end.</returns>
    public ulong Read(PartitionId partition, ulong cursor, long count, Func<RecordStamp, bool> isOver)
    {
        var (first, last) = hash.RangeOf(partition);
        var at = Math.Max(first, cursor);
        var step = StepFor(last - first, count);
        while (at <= last)
        {
            var end = last - at < step ? last : at + step;
            var (records, bytes) = (_records.Count, _bytes);
            ReadRange(at, end, isOver);
            if (_bytes > BytesMax && end > at && _records.Count > records + 1)
            {
                // Too much for one reply: take the range back, and read it in smaller parts.
                _records.RemoveRange(records, _records.Count - records);
                _bytes = bytes;
                if (records > 0)
                    return at;
                step /= 2;
                continue;
            }

            if (end == last)
                return 0;
            at = end + 1;
            if (_bytes > BytesMax / 2)
                return at;
        }

        return 0;
    }

    private static ulong StepFor(ulong width, long count)
    {
        var ranges = (ulong)(count / RecordsPerRange) + 1;
        return Math.Max(1, width / ranges);
    }

    private void ReadRange(ulong first, ulong last, Func<RecordStamp, bool> isOver)
    {
        var scan = StampedTable.BeginScan(first, last);
        while (table.TryNext(scan, out var key))
        {
            var hashed = hash.Hash(key);
            if (!TryRead(hashed, key, out var stamp, out var value) || isOver(stamp))
                continue;
            var record = new RecordImage(
                new StateKey(0, key.ToArray()), new EntryId(stamp.Version), stamp.Time, value.ToArray());
            _records.Add(record);
            _bytes += key.Length + record.Value.Length;
        }
    }

    private bool TryRead(ulong hashed, ReadOnlySpan<byte> key, out RecordStamp stamp, out ReadOnlySpan<byte> value)
    {
        stamp = default;
        value = default;
        if (!withValues)
            return table.TryReadStamp(hashed, key, out stamp, out _);
        int length;
        while (true)
        {
            if (!table.TryRead(hashed, key, _buffer, out length))
                return false;
            if (length <= _buffer.Length)
                break;
            _buffer = new byte[length];
        }

        stamp = RecordStamp.Read(_buffer);
        value = _buffer.AsSpan(RecordStamp.Bytes..length);
        return true;
    }
}
