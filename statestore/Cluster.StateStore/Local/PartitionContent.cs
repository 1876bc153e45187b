using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Messages;
using Cluster.StateStore.Records;

namespace Cluster.StateStore.Local;

/// <summary>The records of one partition, their index and counters, the last version and the partition's time. Owned by
/// one partition or one staging area, whose lock protects it.</summary>
internal sealed class PartitionContent(PartitionContext context)
{
    private readonly RecordHeap _heap = context.Heap;
    private readonly StateRecordIndex _index = new();
    private readonly long[] _entries = new long[context.Catalog.Count];
    private long _timeTicks;
    private long _clockTicks;
    private int _sweepPosition;

    public long Count => _index.Count;

    /// <summary>The bytes of all records, without the overhead of index and pile.</summary>
    public long Bytes { get; private set; }

    public long LastVersion { get; private set; }

    public long TimeTicks => _timeTicks;

    /// <summary>The number of index slots that a walk visits.</summary>
    public int Positions => _index.Capacity;

    /// <summary>The time that operations see. It never runs backwards, also when another node becomes the
    /// owner.</summary>
    public long TimeAt(long utcTicks) => Math.Max(utcTicks, _timeTicks);

    /// <summary>The clock that expiry is measured by: this owner's own. It never runs backwards here. A former owner's
    /// clock does not raise it, because a hand-off carries the rest of each time to live.</summary>
    public long ClockAt(long utcTicks) => Math.Max(utcTicks, _clockTicks);

    public void RaiseVersion(long least) => LastVersion = Math.Max(LastVersion, least);

    public void RaiseTime(long least) => _timeTicks = Math.Max(_timeTicks, least);

    /// <summary>The unexpired record of a key, or null.</summary>
    public RecordBuffer? Read(in StateKey key, long utcTicks)
    {
        var buffer = Find(key, out _);
        if (buffer is null || !buffer.Record.IsExpired(ClockAt(utcTicks)))
            return buffer;
        buffer.Dispose();
        return null;
    }

    /// <summary>The unexpired record at a position, or null.</summary>
    public RecordBuffer? ReadAt(int position, long utcTicks)
    {
        if (_index[position].IsFree)
            return null;
        var buffer = _heap.Read(_index[position].Pointer);
        if (!buffer.Record.IsExpired(ClockAt(utcTicks)))
            return buffer;
        buffer.Dispose();
        return null;
    }

    public StoreResult Write(in StateWrite write, long utcTicks)
    {
        var now = ClockAt(utcTicks);
        using var found = Find(write.Key, out var position);
        var isPresent = found is not null && !found.Record.IsExpired(now);
        switch (write.Verb)
        {
            case StateVerb.Put:
                return Store(position, write, write.Record!, write.Expiry.ResolveTicks(now), now);
            case StateVerb.PutIfVersion:
                return (isPresent ? found!.Record.Version : 0) == write.ExpectedVersion
                    ? Store(position, write, write.Record!, write.Expiry.ResolveTicks(now), now)
                    : StoreResult.NotFound;
            case StateVerb.Remove when isPresent:
                Remove(position, write.Ordinal, found!.Length);
                Pass(now);
                return StoreResult.Done(0);
            case StateVerb.Touch when isPresent:
                return Touch(position, found!, write.Expiry.ResolveTicks(now), now);
            default:
                return StoreResult.NotFound;
        }
    }

    /// <summary>Stores the record that a change has returned for the present one.</summary>
    public StoreResult Commit(RecordChange change, RecordBuffer? record, RecordBuffer? present, long utcTicks)
    {
        var now = ClockAt(utcTicks);

        // The key was held all the time, but a sweep or a growth of the index may have moved its slot.
        using var found = Find(change.Key, out var position);
        if (record is null)
        {
            if (found is not null)
                Remove(position, change.Ordinal, found.Length);
            Pass(now);
            return StoreResult.Done(0);
        }

        var expiry = present is null ? change.Expiry.ResolveTicks(now) : present.Record.ExpiryTicks;
        var write = new StateWrite(StateVerb.Update, change.Key, change.Ordinal, change.Expiry);
        return Store(position, write, record, expiry, now);
    }

    /// <summary>Adds a record that another node has sent. False: the pile is full.</summary>
    public bool TryAddImported(in StateKey key, int ordinal, ReadOnlySpan<byte> record)
    {
        if (!_heap.TryAdd(record, out var pointer))
            return false;
        var view = new StateRecord(record);
        _index.Add(key.Tag, pointer, ExpiryClock.ToDueSecond(view.ExpiryTicks));
        _entries[ordinal]++;
        Bytes += record.Length;
        RaiseVersion(view.Version);
        return true;
    }

    /// <summary>Frees expired records in the next slots, except those whose key is held.</summary>
    public (int Looked, int Freed) Sweep(int slotsMax, long utcTicks, KeyHolds holds)
    {
        var reached = ExpiryClock.ToReachedSecond(ClockAt(utcTicks));
        var (looked, freed) = (0, 0);
        while (looked < slotsMax && _sweepPosition < _index.Capacity)
        {
            looked++;
            ref var slot = ref _index[_sweepPosition];
            if (slot.DueSecond == 0 || slot.DueSecond > reached || holds.IsHeld(slot.Tag))
            {
                _sweepPosition++;
                continue;
            }

            // The removal may move the next record to this position, so the loop visits the position again.
            using var record = _heap.Read(slot.Pointer);
            Remove(_sweepPosition, context.Catalog.OrdinalOf(record.Record.StateId), record.Length);
            freed++;
        }

        if (_sweepPosition >= _index.Capacity)
        {
            _sweepPosition = 0;
            _index.Trim();
        }

        return (looked, freed);
    }

    public void AddEntryCounts(Span<long> byOrdinal)
    {
        for (var ordinal = 0; ordinal < _entries.Length; ordinal++)
            byOrdinal[ordinal] += _entries[ordinal];
    }

    /// <summary>Frees every record. Called when no other thread can reach this content any more.</summary>
    public void FreeAll()
    {
        for (var position = 0; position < _index.Capacity; position++)
        {
            if (!_index[position].IsFree)
                _heap.Free(_index[position].Pointer);
        }
    }

    private void Pass(long clockTicks)
    {
        _clockTicks = clockTicks;
        RaiseTime(clockTicks);
    }

    private RecordBuffer? Find(in StateKey key, out int position)
    {
        for (position = _index.FindFirst(key.Tag); position >= 0; position = _index.FindNext(position))
        {
            var buffer = _heap.Read(_index[position].Pointer);
            if (buffer.Record.IsOf(key))
                return buffer;
            buffer.Dispose();
        }

        return null;
    }

    private StoreResult Store(int position, in StateWrite write, RecordBuffer record, long expiryTicks, long now)
    {
        record.Stamp(LastVersion + 1, expiryTicks);
        var due = ExpiryClock.ToDueSecond(expiryTicks);
        if (position < 0)
        {
            if (!_heap.TryAdd(record.Bytes, out var pointer))
                return StoreResult.Full;
            _index.Add(write.Key.Tag, pointer, due);
            _entries[write.Ordinal]++;
            Bytes += record.Length;
        }
        else
        {
            ref var slot = ref _index[position];
            var before = _heap.SizeOf(slot.Pointer);
            if (!_heap.TryReplace(ref slot.Pointer, record.Bytes))
                return StoreResult.Full;
            slot.DueSecond = due;
            Bytes += record.Length - before;
        }

        Pass(now);
        return StoreResult.Done(++LastVersion);
    }

    private StoreResult Touch(int position, RecordBuffer found, long expiryTicks, long now)
    {
        ref var slot = ref _index[position];
        var version = found.Record.Version;
        found.Stamp(version, expiryTicks);
        if (!_heap.TryReplace(ref slot.Pointer, found.Bytes))
            return StoreResult.Full;
        slot.DueSecond = ExpiryClock.ToDueSecond(expiryTicks);
        Pass(now);
        return StoreResult.Done(version);
    }

    private void Remove(int position, int ordinal, int bytes)
    {
        var pointer = _index[position].Pointer;
        _index.RemoveAt(position);
        _heap.Free(pointer);
        _entries[ordinal]--;
        Bytes -= bytes;
    }
}
