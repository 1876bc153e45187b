using Cluster.Pile.Memory;
using Cluster.Pile.Threads;

namespace Cluster.Pile.Records;

/// <summary>
/// Empties log segments of one table, so that their blocks come back: those whose time is over, sparse ones whose
/// records move together, and, in a table that may forget, the oldest ones. Owned by one table; its lock admits one
/// sweep at a time, everything else goes on meanwhile. Not to be called inside an operation.
/// </summary>
/// <remarks>
/// <list type="number">
/// <item>close the segment, and wait until nobody writes a claimed record there any more</item>
/// <item>record by record, under the lock of its bucket, if the index still names it there: remove it or move it</item>
/// <item>the death of the last one ends the segment</item>
/// </list>
/// What is chosen for eviction follows S3-FIFO: records begin in small segments, a tenth of the table, and come into
/// main ones when they were read twice meanwhile, or come back soon after they left; there they stay for as many more
/// rounds as they were read, three at most. The lowest priority goes first.
/// </remarks>
internal sealed class RecordSweeper
{
    private const int RecordsPerStep = 64;
    private const int PromotionReads = 2;
    private const int SmallShare = 10;
    private const int SparseShare = 8;

    private readonly RecordRealm _realm;
    private readonly RecordSpace _space;
    private readonly RecordIndex _index;
    private readonly RecordLog _log;
    private readonly RecordWriter _writer;
    private readonly RecordOrphans _orphans;
    private readonly RecordGhosts? _ghosts;
    private readonly int _table;
    private readonly Lock _gate = new();
    private long _evicted;
    private long _expired;
    private ulong _hash;
    private long _records;
    private long _evictions;

    public RecordSweeper(RecordParts parts, RecordRealm realm, int table)
    {
        _realm = realm;
        _space = realm.Space;
        _index = parts.Index;
        _log = parts.Log;
        _writer = parts.Writer;
        _orphans = parts.Orphans;
        _ghosts = parts.Ghosts;
        _table = table;
    }

    /// <summary>Whether anything is ever evicted here.</summary>
    public bool MayForget => _ghosts is not null;

    /// <summary>Down to how many bytes of log the table gives memory up to others.</summary>
    public long FloorBytes { get; set; }

    /// <summary>Whether the table has something to give up to others.</summary>
    public bool MayGiveUp => MayForget && _log.Blocks * BlockLayout.BlockBytes > FloorBytes;

    /// <summary>The lowest priority of any record.</summary>
    public byte PriorityLowest
        => _log.Snapshot().Select(segment => segment.Class.Priority).DefaultIfEmpty(byte.MaxValue).Min();

    /// <summary>What is done with the records of a segment that have not ended.</summary>
    private enum Fate
    {
        /// <summary>They move to a segment of what their deadlines are now.</summary>
        Keep,

        /// <summary>The policy decides.</summary>
        Evict,
    }

    /// <summary>Records that were evicted.</summary>
    public long Evicted => Volatile.Read(ref _evicted);

    /// <summary>Records that were removed after their end.</summary>
    public long Expired => Volatile.Read(ref _expired);

    /// <summary>How many segments were evicted so far.</summary>
    public long Evictions => Volatile.Read(ref _evictions);

    /// <summary>
    /// Evicts one segment of no higher priority, unless somebody has done so since the caller looked how many there
    /// were; false when there is none. Tells the priority.
    /// </summary>
    public bool TryEvict(long evictionsSeen, byte priorityMax, out byte priority)
    {
        lock (_gate)
        {
            priority = priorityMax;
            if (evictionsSeen != _evictions)
                return true;
            var chosen = ChooseVictim(priorityMax);
            priority = chosen?.Class.Priority ?? 0;
            _records = _realm.Registry.Sum(cache => cache.RecordsOf(_table));
            if (chosen is not null)
            {
                Empty(chosen, Fate.Evict);
                Volatile.Write(ref _evictions, _evictions + 1);
            }

            _orphans.DeleteWaiting();
            return chosen is not null;
        }
    }

    /// <summary>Removes what has ended in segments whose time is over; gives the step at which the next one is
    /// due.</summary>
    public uint? Expire(uint now)
    {
        lock (_gate)
        {
            foreach (var segment in _log.Snapshot())
            {
                var isOver = segment.Class.Level != 0 && RecordClock.StepsUntil(segment.Class.End, now) <= 0;
                if (isOver && !segment.IsEmptied)
                    Empty(segment, Fate.Keep);
            }

            _orphans.DeleteWaiting();
            return NextEnd();
        }
    }

    // Also of segments that records just moved to.
    private uint? NextEnd()
    {
        uint? next = null;
        foreach (var segment in _log.Snapshot())
        {
            var end = segment.Class.End;
            if (segment.Class.Level != 0 && (next is null || RecordClock.StepsUntil(end, next.Value) < 0))
                next = end;
        }

        return next;
    }

    /// <summary>
    /// Moves the records of sparse segments together, the sparsest first, until none is left or there is no room; gives
    /// how many segments ended.
    /// </summary>
    public int Merge()
    {
        lock (_gate)
        {
            var sparse = new List<(long Dead, LogSegment Segment)>();
            foreach (var segment in _log.Snapshot())
            {
                var dead = _space.Table.Dead(segment.Head);
                if (!segment.IsEmptied && dead > segment.Bytes / SparseShare)
                    sparse.Add((dead * SegmentHeader.BlocksMax / (segment.Bytes >> 16), segment));
            }

            sparse.Sort((left, right) => right.Dead.CompareTo(left.Dead));
            var ended = 0;
            foreach (var (_, segment) in sparse)
            {
                if (!Empty(segment, Fate.Keep))
                    break;
                ended++;
            }

            _orphans.DeleteWaiting();
            MergePages();
            return ended;
        }
    }

    /// <summary>Makes the index smaller after much was removed.</summary>
    public void MergePages()
    {
        // Pages that were made of two may now have neighbours that were, too.
        bool isMerged;
        do
        {
            isMerged = false;
            for (long next = 0; (next = MergeOnePage(next)) >= 0;)
                isMerged = true;
        }
        while (isMerged);
        ShrinkGhosts();
        _realm.Allocator.Reclaim();
    }

    private void ShrinkGhosts()
    {
        var records = _realm.Registry.Sum(cache => cache.RecordsOf(_table));
        var cache = _realm.Registry.Enter();
        try
        {
            _ghosts?.Shrink(records);
        }
        finally
        {
            cache.Exit();
        }
    }

    private long MergeOnePage(long from)
    {
        var cache = _realm.Registry.Enter();
        try
        {
            return _index.MergeOne(from);
        }
        finally
        {
            cache.Exit();
        }
    }

    private LogSegment? ChooseVictim(byte priorityMax)
    {
        LogSegment? small = null;
        LogSegment? main = null;
        long smallBytes = 0;
        long bytes = 0;
        foreach (var segment in _log.Snapshot())
        {
            var lowest = (small ?? main)?.Class.Priority ?? priorityMax;
            if (segment.IsEmptied || segment.Class.Priority > lowest)
                continue;
            if (segment.Class.Priority < lowest)
                (small, main, smallBytes, bytes) = (null, null, 0, 0);
            bytes += segment.Bytes;
            smallBytes += segment.Class.IsMain ? 0 : segment.Bytes;
            ref var oldest = ref segment.Class.IsMain ? ref main : ref small;
            if (oldest is null || segment.Sequence < oldest.Sequence)
                oldest = segment;
        }

        return small is not null && (main is null || smallBytes * SmallShare >= bytes) ? small : main;
    }

    // False when records stayed because there was no room for them.
    private bool Empty(LogSegment segment, Fate fate)
    {
        _log.Close(segment);
        _realm.Registry.WaitForOperations();
        var offset = segment.Offset + SegmentHeader.Bytes;
        var isEmptied = true;
        while (isEmptied && Step(segment, fate, ref offset, ref isEmptied))
        {
            // Each step is an operation of its own, so that a sweep holds nobody up.
        }

        segment.IsEmptied |= isEmptied;
        return isEmptied;
    }

    private bool Step(LogSegment segment, Fate fate, ref long offset, ref bool isEmptied)
    {
        var cache = _realm.Registry.Enter();
        try
        {
            if (!_log.IsAlive(segment))
                return false;
            var end = _space.EndOf(segment);
            for (var count = 0; count < RecordsPerStep && offset < end && isEmptied; count++)
            {
                var header = _space.Header(offset);
                var extent = header.Extent;
                Invariant.Holds(header.State != RecordState.Blank, "Every claimed record was written.");
                if (header.State is not (RecordState.Dead or RecordState.Owing))
                    isEmptied = TrySettle(cache, offset, header, fate);
                offset += extent;
            }

            return offset < end;
        }
        finally
        {
            cache.Exit();
        }
    }

    private bool TrySettle(ThreadCache cache, long offset, RecordHeader seen, Fate fate)
    {
        var key = _space.Key(offset, seen);
        _hash = _realm.Hash.OfBytes(key);
        var bucket = _index.Lock(_hash);
        var at = _index.Find(bucket, key, out var entry);
        var isThere = at != 0 && entry.Granule == _space.GranuleOf(offset);
        var isSettled = !isThere || TrySettle(cache, ref bucket, at, entry, fate);
        if (isThere)
            _index.Unlock(bucket);
        else
            _index.UnlockUnchanged(bucket);
        return isSettled;
    }

    private bool TrySettle(ThreadCache cache, ref LockedBucket bucket, long at, IndexEntry entry, Fate fate)
    {
        var offset = _space.OffsetOf(entry.Granule);
        var header = _space.Header(offset);
        var logClass = _space.ClassAt(offset);
        if (_writer.IsOver(offset, header))
        {
            _expired++;
            Drop(cache, ref bucket, at, entry);
            return true;
        }

        if (fate == Fate.Keep)
            return _writer.Move(cache, at, entry, ClassNow(offset, header, logClass)) != 0;
        var reads = _index.Reads(at);
        var stays = logClass.IsMain ? reads > 0 : reads >= PromotionReads;
        var classNow = ClassNow(offset, header, logClass) with { IsMain = true };
        if (stays && _writer.Move(cache, at, entry, classNow) != 0)
        {
            _index.SetReads(at, logClass.IsMain ? reads - 1 : 0);
            return true;
        }

        if (!logClass.IsMain)
            _ghosts?.Add(_hash, _records);
        _evicted++;
        Drop(cache, ref bucket, at, entry);
        return true;
    }

    private LogClass ClassNow(long offset, RecordHeader header, LogClass logClass)
    {
        var deadline = _space.Times(offset, header).Deadline;
        return deadline == 0
            ? logClass with { Level = 0, Window = 0 }
            : LogClass.Of(logClass.Priority, deadline, _realm.Clock.Now);
    }

    private void Drop(ThreadCache cache, ref LockedBucket bucket, long at, IndexEntry entry)
    {
        var orphan = _writer.Drop(cache, ref bucket, at, entry);
        _orphans.DeleteLater(orphan);
    }
}
