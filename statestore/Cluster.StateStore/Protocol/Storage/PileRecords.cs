using Cluster.Pile;
using Cluster.Pile.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Logs;

namespace Cluster.StateStore.Protocol.Storage;

/// <summary>The records of a shard in the tables of the node's pile, one table for each state. The top bits of a key's
/// hash are its partition within the set, so a partition is a range of hashes. Used under the shard's lock.</summary>
/// <param name="hash">The hash of the cluster.</param>
/// <param name="tables">The tables of all states; all shards of the node share them.</param>
internal sealed class PileRecords(PartitionHash hash, StateTables tables) : IRecords
{
    // What is committed later, but logged already, needs room as well.
    private const int SpareBytes = 2 << 20;

    // A larger buffer is not kept for the next read.
    private const int BufferBytesMax = 1 << 20;

    private const int BufferBytesMin = 4 << 10;

    private readonly ExpirySearch _expiry = new(tables);
    private readonly RecordScanner _scanner = new();
    private PartitionTotals?[] _totals = [];
    private byte[] _buffer = new byte[BufferBytesMin];

    public bool TryFind(PartitionId partition, in StateKey key, out RecordImage record)
    {
        record = default;
        var (table, hashed) = (TableOf(partition, key.State), hash.Hash(key.Bytes.Span));
        if (_buffer.Length > BufferBytesMax)
            _buffer = new byte[BufferBytesMin];
        if (!table.TryRead(hashed, key.Bytes.Span, _buffer, out var length))
            return false;
        if (length > _buffer.Length)
        {
            var bytes = length;
            _buffer = new byte[bytes];
            var isFound = table.TryRead(hashed, key.Bytes.Span, _buffer, out length);
            Invariant.Check(
                isFound && length == bytes, "I9", $"a record of partition {partition} changed during a read");
        }

        var stamp = RecordStamp.Read(_buffer);
        if (stamp.Time == PartitionTotals.Removed)
            return false;
        var value = _buffer.AsMemory(RecordStamp.Bytes..length);
        record = new RecordImage(key, new EntryId(stamp.Version), stamp.Time, value);
        return true;
    }

    public bool TryPeek(PartitionId partition, in StateKey key, out RecordPeek record)
    {
        var isFound = TryReadStamp(partition, key, out var stamp, out var valueBytes)
            && stamp.Time != PartitionTotals.Removed;
        record = isFound ? new RecordPeek(new EntryId(stamp.Version), stamp.Time, valueBytes) : default;
        return isFound;
    }

    // Others fill the pile as well, so what it said last says nothing.
    public bool HasRoom(PartitionId partition, int bytes) => tables.HasRoom((long)bytes + SpareBytes);

    public bool Apply(PartitionId partition, in LogEntry entry, bool keepsTombstone)
    {
        try
        {
            ApplyCore(partition, entry, keepsTombstone);
            return true;
        }
        catch (PileFullException)
        {
            return false;
        }
    }

    public bool Load(PartitionId partition, in RecordImage record)
    {
        try
        {
            if (!TryReadStamp(partition, record.Key, out var known, out _) || known.Version < record.Version.Value)
                Set(partition, record.Key, new RecordStamp(record.Version.Value, record.Expiry), record.Value.Span);
            return true;
        }
        catch (PileFullException)
        {
            return false;
        }
    }

    public bool Scan(PartitionId partition, ScanCursor cursor, int bytesMax, List<RecordImage> into)
    {
        var walk = (RecordWalk)(cursor.Place ??= WalkOver(partition));
        return _scanner.Scan(walk, hash, bytesMax, into);
    }

    public void FindExpired(PartitionId partition, long time, int countMax, List<RecordImage> into)
    {
        var totals = TotalsOf(partition);
        if (totals.Expiring == 0 || (totals.ExpiryWalk is null && time < totals.DueAt))
            return;
        if (totals.ExpiryWalk is not { } walk)
        {
            totals.ExpiryWalk = walk = WalkOver(partition);
            totals.DueAt = long.MaxValue;
        }

        if (!ExpirySearch.Search(walk, hash, (time, countMax), into))
            return;
        totals.DueAt = _expiry.NextAfter(Math.Min(totals.DueAt, walk.DueAt), time);
        totals.ExpiryWalk = null;
    }

    public bool Recount(PartitionId partition)
    {
        var (walk, totals) = (WalkOver(partition), new PartitionTotals());
        while (walk.TryNext(out var key))
        {
            var hashed = hash.Hash(key);
            if (walk.Table.TryReadStamp(hashed, key, out var stamp, out var valueBytes))
                totals.Add(new CountedKey(hashed, key.Length), stamp, valueBytes);
        }

        if (walk.Visited == 0)
            return false;
        _ = TotalsOf(partition);
        _totals[partition.Value] = totals;
        return true;
    }

    public void ForgetTombstones(PartitionId partition)
    {
        if (TotalsOf(partition).Tombstones == 0)
            return;
        var walk = WalkOver(partition);
        while (walk.TryNext(out var key))
        {
            var isMark = walk.Table.TryReadStamp(hash.Hash(key), key, out var stamp, out _)
                && stamp.Time == PartitionTotals.Removed;
            if (isMark)
                Remove(partition, walk.State, key);
        }
    }

    public bool DropSlice(PartitionId partition, int countMax)
    {
        var totals = TotalsOf(partition);
        totals.DropWalk ??= WalkOver(partition);
        for (var count = 0; count < countMax; count++)
        {
            if (!totals.DropWalk.TryNext(out var key))
            {
                Invariant.Check(
                    totals.Sums == default && totals.Tombstones == 0,
                    "I9",
                    $"of partition {partition}, {totals.Sums.Count} records are left after all were dropped");
                _totals[partition.Value] = null;
                return true;
            }

            Remove(partition, totals.DropWalk.State, key);
        }

        return false;
    }

    public PartitionSums SumsOf(PartitionId partition) => TotalsOf(partition).Sums;

    private void ApplyCore(PartitionId partition, in LogEntry entry, bool keepsTombstone)
    {
        switch (entry.Kind)
        {
            case EntryKind.Put:
                Set(partition, entry.Key, new RecordStamp(entry.Id.Value, entry.Expiry), entry.Value.Span);
                break;
            case EntryKind.Touch when TryPeek(partition, entry.Key, out var known):
                Touch(partition, entry.Key, known, entry.Expiry);
                break;
            case EntryKind.Touch when entry.HasValue:
                Set(partition, entry.Key, new RecordStamp(entry.Version.Value, entry.Expiry), entry.Value.Span);
                break;
            case EntryKind.Remove or EntryKind.Expire when keepsTombstone:
                Set(partition, entry.Key, new RecordStamp(entry.Id.Value, PartitionTotals.Removed), default);
                break;
            case EntryKind.Remove or EntryKind.Expire:
                Remove(partition, entry.Key.State, entry.Key.Bytes.Span);
                break;
        }
    }

    private StampedTable TableOf(PartitionId partition, uint state) => tables[hash.SetOf(partition), state];

    private PartitionTotals TotalsOf(PartitionId partition)
    {
        if (partition.Value >= _totals.Length)
            Array.Resize(ref _totals, (hash.SetOf(partition) + 1) * hash.PartitionCount);
        return _totals[partition.Value] ??= new PartitionTotals();
    }

    private bool TryReadStamp(PartitionId partition, in StateKey key, out RecordStamp stamp, out int valueBytes)
    {
        var bytes = key.Bytes.Span;
        return TableOf(partition, key.State).TryReadStamp(hash.Hash(bytes), bytes, out stamp, out valueBytes);
    }

    private void Set(PartitionId partition, in StateKey key, in RecordStamp stamp, ReadOnlySpan<byte> value)
    {
        var totals = TotalsOf(partition);
        var bytes = key.Bytes.Span;
        var counted = new CountedKey(hash.Hash(bytes), bytes.Length);
        if (TableOf(partition, key.State).Put(counted.Hash, bytes, stamp, value, out var replaced))
            totals.Subtract(counted, replaced.Stamp, replaced.ValueBytes);
        totals.Add(counted, stamp, value.Length);
    }

    private void Touch(PartitionId partition, in StateKey key, in RecordPeek known, long expiry)
    {
        var totals = TotalsOf(partition);
        var before = new RecordStamp(known.Version.Value, known.Expiry);
        var after = before with { Time = expiry };
        var bytes = key.Bytes.Span;
        var counted = new CountedKey(hash.Hash(bytes), bytes.Length);
        TableOf(partition, key.State).SetStamp(counted.Hash, bytes, after);
        totals.Subtract(counted, before, known.ValueBytes);
        totals.Add(counted, after, known.ValueBytes);
    }

    private void Remove(PartitionId partition, uint state, ReadOnlySpan<byte> key)
    {
        var hashed = hash.Hash(key);
        var table = TableOf(partition, state);
        if (!table.TryReadStamp(hashed, key, out var stamp, out var valueBytes))
            return;
        table.Remove(hashed, key);
        TotalsOf(partition).Subtract(new CountedKey(hashed, key.Length), stamp, valueBytes);
    }

    private RecordWalk WalkOver(PartitionId partition)
    {
        var (first, last) = hash.RangeOf(partition);
        return new RecordWalk(tables.Of(hash.SetOf(partition)), first, last);
    }
}
