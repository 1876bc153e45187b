using Cluster.Pile.Layout;
using Cluster.Pile.Slots;
using Cluster.Pile.Tables.Index;
using Cluster.Pile.Tables.Log;
using Cluster.Pile.Tables.Rebuild;

namespace Cluster.Pile.Tables.Eviction;

/// <summary>Empties log segments of one table, so that their blocks become vacant: segments whose window of deadlines
/// is over, sparse segments whose records are moved together, and, in an evicting table, the oldest segments. Owned by
/// one table; its lock lets one sweep run at a time, and all other operations continue meanwhile. Not to be called
/// inside an operation.</summary>
/// <remarks>
/// <list type="number">
/// <item>close the segment, and wait until all records that were claimed in it are written</item>
/// <item>for each record, under the lock of its bucket, if the index still names it there: remove it or move it</item>
/// <item>the death of the last record ends the segment</item>
/// </list>
/// Eviction follows S3-FIFO. Records begin in small segments, a tenth of the table. A record moves to a main segment
/// when it was read twice meanwhile, or when its key comes back soon after it was evicted. In main segments it stays
/// for as many more rounds as it was read, three at most. The lowest priority is evicted first.
/// <para>While nearly all main records are in demand, as in a loop over more records than the table can hold, main
/// segments stay as they are: otherwise each record that comes back would evict another one just before its next read.
/// A record that comes back takes the room of small segments instead, until these are a twentieth of the table; from
/// then on it begins in a small segment like a new record. Meanwhile every second eviction first looks at one main
/// segment. That is often enough to notice soon that demand changes. It is seldom enough that, in a loop over twice as
/// many records, a record that just came to a main segment is read before its segment's turn.</para>
/// </remarks>
internal sealed class RecordSweeper(
    RecordContext context, RecordIndex index, RecordLog log, RecordWriter writer, RecordOrphans orphans)
{
    private const int RecordsPerStep = 64;
    private const int PromotionReads = 2;

    // Records that are read all the time stay for some turns. One call goes through at most this many segments.
    private const int TurnsMax = 256;
    private const int SparseShare = 8;

    private readonly RecordContext _context = context;
    private readonly RecordSpace _space = context.Space;
    private readonly RecordIndex _index = index;
    private readonly RecordLog _log = log;
    private readonly RecordWriter _writer = writer;
    private readonly RecordOrphans _orphans = orphans;
    private readonly RecordGhosts? _ghosts = writer.Ghosts;
    private readonly RecordCount _count = writer.Count;
    private readonly Lock _gate = new();
    private SegmentAccessCounts _accesses;
    private bool _isMainAtRest;
    private LogSegment? _hand;
    private long _handAt;
    private long _evicted;
    private long _expired;
    private ulong _hash;
    private long _records;
    private long _evictions;

    /// <summary>Whether the table evicts records.</summary>
    public bool MayForget => _ghosts is not null;

    /// <summary>The table gives log memory up to the rest of the pile until this many bytes are left.</summary>
    public long FloorBytes { get; set; }

    /// <summary>The table gives records up to the rest of the pile until this many are left.</summary>
    public long FloorRecords { get; set; }

    /// <summary>Whether the table may give memory up to the rest of the pile at the moment.</summary>
    public bool MayGiveUp =>
        MayForget && _log.Blocks * BlockLayout.BlockBytes > FloorBytes && _count.Current > FloorRecords;

    /// <summary>The lowest priority among the segments; the highest possible value when there are none.</summary>
    public byte PriorityLowest =>
        _log.Snapshot().Select(segment => segment.Class.Priority).DefaultIfEmpty(byte.MaxValue).Min();

    /// <summary>What a sweep does with the records of a segment that have not expired.</summary>
    private enum Fate
    {
        /// <summary>Each record moves to a segment that fits its present deadline.</summary>
        Keep,

        /// <summary>The eviction policy removes or moves each record.</summary>
        Evict,

        /// <summary>The records stay; the sweep counts how many are in demand, until the rest cannot change the
        /// answer.</summary>
        Judge,

        /// <summary>The records stay; their counts of reads are lowered so far that a later read can be seen.</summary>
        Calm,
    }

    public long Evicted => Volatile.Read(ref _evicted);

    /// <summary>Records that were removed after their deadline.</summary>
    public long Expired => Volatile.Read(ref _expired);

    public long Evictions => Volatile.Read(ref _evictions);

    /// <summary>Evicts one segment of at most this priority; does nothing when another thread has evicted one since the
    /// caller read <see cref="Evictions"/>. False: no such segment exists. <paramref name="priority"/> is that of the
    /// evicted segment.</summary>
    public bool TryEvict(long evictionsSeen, byte priorityMax, out byte priority)
    {
        lock (_gate)
        {
            priority = priorityMax;
            if (evictionsSeen != _evictions)
                return true;
            var chosen = ChooseVictim(priorityMax);
            priority = chosen?.Class.Priority ?? 0;
            _records = _count.Current;
            if (chosen is not null)
            {
                Empty(chosen, Fate.Evict);
                Volatile.Write(ref _evictions, _evictions + 1);
            }

            _orphans.DeleteWaiting();
            return chosen is not null;
        }
    }

    /// <summary>Evicts some records of at most this priority, for a table that has reached its limit of records and not
    /// of bytes. Continues in the segment where the last call stopped. False: no record was removed.
    /// <paramref name="priority"/> is the lowest one of the segments that were swept.</summary>
    public bool TryEvictRecords(long count, byte priorityMax, out byte priority)
    {
        lock (_gate)
        {
            priority = priorityMax;
            _records = _count.Current;
            var gone = _evicted + _expired;
            for (var turns = 0; turns < TurnsMax && _evicted + _expired < gone + count; turns++)
            {
                if (!TryPlaceHand(priorityMax))
                    break;
                priority = Math.Min(priority, _hand!.Class.Priority);
                Advance(gone + count);
            }

            _orphans.DeleteWaiting();
            return _evicted + _expired > gone;
        }
    }

    /// <summary>Removes expired records from the segments whose window is over; returns the step at which the next
    /// window is over.</summary>
    public uint? Expire(uint now)
    {
        lock (_gate)
        {
            foreach (var segment in _log.Snapshot())
            {
                var isOver = segment.Class.Level != 0 && _context.Clock.Steps.Until(segment.Class.End, now) <= 0;
                if (isOver && !segment.IsEmptied)
                    Empty(segment, Fate.Keep);
            }

            _orphans.DeleteWaiting();
            return NextEnd();
        }
    }

    // Also counts segments to which this sweep has just moved records.
    private uint? NextEnd()
    {
        uint? next = null;
        foreach (var segment in _log.Snapshot())
        {
            var end = segment.Class.End;
            if (segment.Class.Level != 0 && (next is null || _context.Clock.Steps.Until(end, next.Value) < 0))
                next = end;
        }

        return next;
    }

    /// <summary>Moves the records of sparse segments together, the sparsest first, until no such segment is left or
    /// there is no room; returns how many segments were emptied. <paramref name="isQuiet"/>: the table does not change,
    /// so the unused end of an open segment counts too, if the segment was opened while the table was larger.</summary>
    public int Merge(bool isQuiet = false)
    {
        lock (_gate)
        {
            var sparse = new List<(long Dead, LogSegment Segment)>();
            foreach (var segment in _log.Snapshot())
            {
                var dead = isQuiet && _log.IsOversized(segment)
                    ? segment.Bytes - _space.LiveBytes(segment)
                    : _space.Table.Dead(segment.Head);
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

    /// <summary>Merges pages of the index after many removals.</summary>
    public void MergePages()
    {
        // A merged page may now have a neighbour that was merged too.
        bool isMerged;
        do
        {
            isMerged = false;
            for (long next = 0; (next = MergeOnePage(next)) >= 0;)
                isMerged = true;
        }
        while (isMerged);
        ShrinkGhosts();
        _context.Allocator.Reclaim();
    }

    private void ShrinkGhosts()
    {
        var records = _count.Current;
        using var operation = _context.Registry.Begin();
        _ghosts?.Shrink(records);
    }

    private long MergeOnePage(long from)
    {
        using var operation = _context.Registry.Begin();
        return _index.MergeOne(from);
    }

    private LogSegment? ChooseVictim(byte priorityMax)
    {
        var queues = EvictionQueues.Of(_space, _log.Snapshot(), priorityMax);
        if (queues.Main is not { } main || _isMainAtRest || (queues.IsSmallDue && _ghosts!.MayPromote))
        {
            _isMainAtRest = false;
            return queues.Small ?? queues.Main;
        }

        var isKept = _isMainAtRest = TryKeep(main);
        _ghosts!.MayPromote = !isKept || queues.IsSmallAmple;
        return isKept || queues.IsSmallDue ? queues.Small ?? main : main;
    }

    private bool TryPlaceHand(byte priorityMax)
    {
        var lowest = EvictionQueues.Of(_space, _log.Snapshot(), priorityMax).Priority;
        if (lowest is null)
            return false;
        if (_hand is { IsEmptied: false } hand && hand.Class.Priority == lowest && _log.IsAlive(hand))
            return true;
        _hand = ChooseVictim(priorityMax);
        if (_hand is null)
            return false;
        _log.Close(_hand);
        _context.Registry.WaitForOperations();
        _handAt = _hand.Offset + SegmentHeader.Bytes;
        return true;
    }

    private void Advance(long goneTarget)
    {
        var isSettled = true;
        var isMore = true;
        while (isMore && _evicted + _expired < goneTarget)
        {
            var records = (int)Math.Min(RecordsPerStep, goneTarget - _evicted - _expired);
            isMore = Step(_hand!, Fate.Evict, records, ref _handAt, ref isSettled);
        }

        _hand!.IsEmptied |= !isMore;
    }

    // Puts a main segment back to the end of its queue, unchanged, if nearly all of its records are in demand.
    private bool TryKeep(LogSegment main)
    {
        _accesses = main.IsKept ? SegmentAccessCounts.SinceKept() : SegmentAccessCounts.Ever(main.Bytes);
        main.IsKept = _space.IsClosed(main) && Walk(main, Fate.Judge) && _accesses.IsHigh;
        if (main.IsKept)
        {
            main.Turn = _context.Sequence.Next();
            Walk(main, Fate.Calm);
        }

        return main.IsKept;
    }

    // False: records stayed because there was no room to move them.
    private bool Empty(LogSegment segment, Fate fate)
    {
        Close(segment);
        _context.Registry.WaitForOperations();
        var isEmptied = Walk(segment, fate);
        segment.IsEmptied |= isEmptied;
        return isEmptied;
    }

    private void Close(LogSegment segment)
    {
        using var operation = _context.Registry.Begin();
        _log.Close(segment);
    }

    // False: the walk stopped before the end of the segment.
    private bool Walk(LogSegment segment, Fate fate)
    {
        var offset = segment.Offset + SegmentHeader.Bytes;
        var isSettled = true;
        while (isSettled && Step(segment, fate, RecordsPerStep, ref offset, ref isSettled))
        {
            // Each step is its own operation, so that a sweep does not delay code that waits for operations.
        }

        return isSettled;
    }

    private bool Step(LogSegment segment, Fate fate, int records, ref long offset, ref bool isSettled)
    {
        using var operation = _context.Registry.Begin();
        if (!_log.IsAlive(segment))
            return false;
        var end = _space.EndOf(segment);
        for (var count = 0; count < records && offset < end && isSettled; count++)
        {
            var header = _space.Header(offset);
            var extent = header.Extent;
            Invariant.Holds(header.State != RecordState.Blank, "Every claimed record was written.");
            if (header.State is not (RecordState.Dead or RecordState.Owing))
                isSettled = TrySettle(operation.Cache, offset, header, fate);
            offset += extent;
        }

        return offset < end;
    }

    private bool TrySettle(ThreadCache cache, long offset, RecordHeader seen, Fate fate)
    {
        var key = _space.Key(offset, seen);
        _hash = _index.Hash.OfBytes(key);
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
        if (fate == Fate.Judge)
            return _accesses.TryCount(header.Extent, reads);
        if (fate == Fate.Calm)
        {
            _index.SetReads(at, Math.Min(reads, SegmentAccessCounts.CalmReads));
            return true;
        }

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
            : LogClass.Of(logClass.Priority, deadline, _context.Clock.Now) with { IsMain = logClass.IsMain };
    }

    private void Drop(ThreadCache cache, ref LockedBucket bucket, long at, IndexEntry entry)
    {
        var orphan = _writer.Drop(cache, ref bucket, at, entry);
        _orphans.DeleteLater(orphan);
    }
}
