using Cluster.Pile.Layout;
using Cluster.Pile.Slabs;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Tables.Log;

/// <summary>The log segments of one table: gives out room for records and counts the dead bytes of each segment; a
/// segment without used bytes ends by itself. Owned by one table. Threads claim room by compare-and-swap on the cursor
/// of an open segment; the lock guards everything else.</summary>
/// <remarks>When a segment is closed, its header and its unused end also count as dead bytes. So the dead bytes reach
/// the size of the segment exactly when it is closed and its last record has died, and the thread that adds the last
/// ones ends the segment. An open segment keeps the place of the record that died in it last, for the next record of
/// the same extent: records that come and go at once leave no dead bytes. Places keep their extents, so at the place of
/// a header there is only ever another header, at its next version.</remarks>
internal sealed class RecordLog
{
    // Segments become larger as the table grows, but a table is divided into about this many, so that an old segment is
    // a small part of it.
    private const int SegmentsAimed = 64;

    // A log is sparse when its dead bytes exceed this minimum and this share of the log.
    private const long SparseBytesMin = 2 * BlockLayout.SegmentBytes;
    private const int SparseShare = 4;

    // The same limits for an idle table.
    private const long LooseBytesMin = BlockLayout.SegmentBytes / 2;
    private const int LooseShare = 8;

    // The fewest records of one size that fit a segment, so that the unused end stays a small part of it.
    private const int RecordsPerSegmentMin = 4;

    // A larger record has its own segment.
    private const long SharedExtentMax = BlockLayout.SegmentBytes / RecordsPerSegmentMin;

    private readonly RecordSpace _space;
    private readonly SlabArena _arena;
    private readonly SlotAllocator _allocator;
    private readonly LogSequence _sequence;
    private readonly RecordLimit _limit;
    private readonly uint _table;
    private readonly int _lanes;
    private readonly Lock _gate = new();
    private readonly Dictionary<long, LogSegment> _segments = [];
    private readonly Dictionary<LogClass, LogStream> _streams = [];
    private readonly LogStream _main;
    private LogStream? _recent;
    private bool _isUniform = true;
    private long _blocks;
    private long _openBytes;
    private long _deadBytes;

    public RecordLog(RecordContext context, RecordLimit limit, uint table, int lanes)
    {
        _space = context.Space;
        _arena = context.Arena;
        _allocator = context.Allocator;
        _sequence = context.Sequence;
        _limit = limit;
        _table = table;
        _lanes = lanes;
        _main = StreamOf(default);
    }

    /// <summary>Whether all records were put without a deadline and with the lowest priority.</summary>
    public bool IsUniform => Volatile.Read(ref _isUniform);

    /// <summary>Blocks of all segments.</summary>
    public long Blocks => Volatile.Read(ref _blocks);

    /// <summary>Bytes in all segments that hold nothing any more, or never held anything.</summary>
    public long DeadBytes => Volatile.Read(ref _deadBytes);

    /// <summary>Whether enough bytes are dead that records are worth moving together.</summary>
    public bool IsSparse
    {
        get
        {
            var dead = DeadBytes;
            return dead > SparseBytesMin && dead > Blocks * (BlockLayout.BlockBytes / SparseShare);
        }
    }

    /// <summary>Whether enough bytes may be dead or unused to move records together while the table is idle. All bytes
    /// of the open segments count as unused: segments that were opened while the table was larger are large.</summary>
    public bool IsLoose
    {
        get
        {
            var waste = DeadBytes + Volatile.Read(ref _openBytes);
            return waste > LooseBytesMin && waste > Blocks * (BlockLayout.BlockBytes / LooseShare);
        }
    }

    public LogStream StreamOf(LogClass logClass)
    {
        if (logClass == default && _main is not null)
            return _main;
        var recent = Volatile.Read(ref _recent);
        if (recent is not null && recent.Class == logClass)
            return recent;
        lock (_gate)
        {
            if (logClass.Priority != 0 || logClass.Level != 0)
                Volatile.Write(ref _isUniform, false);
            if (!_streams.TryGetValue(logClass, out var stream))
                _streams[logClass] = stream = new LogStream(logClass, logClass.Level == 0 ? _lanes : 1);
            Volatile.Write(ref _recent, stream);
            return stream;
        }
    }

    /// <summary>Claims room for a record; returns the offset for its header, or 0 when there is no room. Called inside
    /// an operation; the caller writes the record before that operation ends. <paramref name="isUsedAgain"/>: the room
    /// is the place of a dead record, whose header is still there.</summary>
    public long Claim(LogStream stream, int lane, long extent, out bool isUsedAgain)
    {
        isUsedAgain = TryClaimKept(stream.Open(lane), extent, out var offset);
        return isUsedAgain ? offset : Claim(stream, lane, extent, isMove: false);
    }

    /// <summary>Claims room for a record that is moved, whose present room becomes free soon. May use the blocks that
    /// are held back for moves.</summary>
    public long ClaimForMove(LogStream stream, long extent) => Claim(stream, stream.Lanes - 1, extent, isMove: true);

    /// <summary>Counts a record that was just made dead, and ends its segment when it was the last one.</summary>
    public void AddDead(long offset, long extent) => AddDeadAt(_space.HeadOf(_space.GranuleOf(offset)), extent);

    /// <summary>Takes back the place of a record that was just made dead: keeps the place if it lies in the caller's
    /// open segment; otherwise counts it as dead, and ends the segment when the record was the last one.</summary>
    public void Retire(int lane, long offset, long extent)
    {
        var open = _main.Open(lane % _main.Lanes);
        if (open is null || !open.Holds(offset))
        {
            AddDead(offset, extent);
            return;
        }

        AddKeptAsDead(open, open.ExchangeKept(offset));

        // The thread that closes the segment either takes the kept place, or this check sees that the segment is
        // closed.
        if (_space.IsClosed(open))
            AddKeptAsDead(open, open.ExchangeKept(0));
    }

    /// <summary>A copy of the list of segments.</summary>
    public LogSegment[] Snapshot()
    {
        lock (_gate)
            return [.. _segments.Values];
    }

    /// <summary>Whether a segment has not ended. If so, it stays valid until the end of the caller's
    /// operation.</summary>
    public bool IsAlive(LogSegment segment)
    {
        lock (_gate)
            return _segments.TryGetValue(segment.Head, out var alive) && ReferenceEquals(alive, segment);
    }

    /// <summary>Whether an open segment is larger than a new one would be, because the table was larger when the
    /// segment was opened.</summary>
    public bool IsOversized(LogSegment segment)
    {
        lock (_gate)
            return segment.Bytes > BlocksAimed(0) * BlockLayout.BlockBytes && !_space.IsClosed(segment);
    }

    /// <summary>Closes a segment: no thread can claim room in it any more, so its records can be moved or
    /// removed.</summary>
    public void Close(LogSegment segment)
    {
        long unused;
        lock (_gate)
        {
            if (!_segments.TryGetValue(segment.Head, out var alive) || !ReferenceEquals(alive, segment))
                return;
            ForgetNeedsLock(segment);
            unused = _space.Close(segment);
        }

        AddClosedAsDead(segment, unused);
    }

    /// <summary>Adds a segment that was found in restored or attached memory. No other thread uses the table.</summary>
    public void Adopt(LogSegment segment, long deadBytes)
    {
        lock (_gate)
        {
            _segments.Add(segment.Head, segment);
            Volatile.Write(ref _blocks, _blocks + (segment.Bytes / BlockLayout.BlockBytes));
            if (segment.Class.Priority != 0 || segment.Class.Level != 0)
                Volatile.Write(ref _isUniform, false);
        }

        _sequence.Raise(segment.Sequence);
        AddDeadAt(segment.Head, deadBytes);
    }

    /// <summary>Removes all segments, after a purge has freed them; no operation is running.</summary>
    public void Clear()
    {
        lock (_gate)
        {
            _segments.Clear();
            foreach (var stream in _streams.Values)
                stream.Clear();
            Volatile.Write(ref _blocks, 0);
            Volatile.Write(ref _openBytes, 0);
            Volatile.Write(ref _deadBytes, 0);
        }
    }

    public static long BlocksForRecord(long extent) => BlockLayout.BlocksFor(extent + SegmentHeader.Bytes);

    private void ForgetNeedsLock(LogSegment segment)
    {
        if (!_streams.TryGetValue(segment.Class, out var stream) || !stream.TryForget(segment))
            return;
        Volatile.Write(ref _openBytes, _openBytes - segment.Bytes);
        if (stream.IsIdle && stream.Level != 0)
            _streams.Remove(segment.Class);
    }

    private bool TryClaimKept(LogSegment? open, long extent, out long offset)
    {
        offset = open?.Kept ?? 0;
        return offset != 0 && _space.Header(offset).Extent == extent && open!.TryTakeKept(offset);
    }

    private void AddKeptAsDead(LogSegment segment, long offset)
    {
        if (offset != 0)
            AddDeadAt(segment.Head, _space.Header(offset).Extent);
    }

    // Called after a segment was closed. Another thread closed it if unused is not positive.
    private void AddClosedAsDead(LogSegment segment, long unused)
    {
        if (unused <= 0)
            return;
        AddKeptAsDead(segment, segment.ExchangeKept(0));
        AddDeadAt(segment.Head, unused);
    }

    private void AddDeadAt(long head, long bytes)
    {
        Interlocked.Add(ref _deadBytes, bytes);
        var dead = _space.Table.AddDead(head, bytes);
        var size = _space.Table.Count(head) * BlockLayout.BlockBytes;
        Invariant.Holds(dead <= size, "No more of a segment dies than there is.");
        if (dead == size)
            Free(head);
    }

    private long Claim(LogStream stream, int lane, long extent, bool isMove)
    {
        if (extent > SharedExtentMax)
            return ClaimOwn(stream.Class, extent, isMove);
        while (true)
        {
            var open = stream.Open(lane);
            if (open is not null && _space.TryClaim(open, extent, out var offset))
                return offset;
            if (!TryExtend(stream, lane, open, extent, isMove))
                return 0;
        }
    }

    private long ClaimOwn(LogClass logClass, long extent, bool isMove)
    {
        LogSegment? made;
        long unused;
        long offset;
        lock (_gate)
        {
            var blocks = BlocksForRecord(extent);
            made = TryCreateNeedsLock(logClass, blocks, blocks, isMove);
            if (made is null)
                return 0;
            var isClaimed = _space.TryClaim(made, extent, out offset);
            Invariant.Holds(isClaimed, "A segment of its own holds its record.");
            unused = _space.Close(made);
        }

        AddDeadAt(made.Head, unused);
        return offset;
    }

    // True: the lane has another open segment, and the caller tries again.
    private bool TryExtend(LogStream stream, int lane, LogSegment? seen, long extent, bool isMove)
    {
        long unused;
        lock (_gate)
        {
            if (!ReferenceEquals(stream.Open(lane), seen))
                return true;
            var made = TryCreateNeedsLock(stream.Class, BlocksAimed(extent), BlocksForRecord(extent), isMove);
            if (made is null)
                return false;
            stream.SetOpen(lane, made);
            Volatile.Write(ref _openBytes, _openBytes + made.Bytes - (seen?.Bytes ?? 0));
            unused = seen is null ? -1 : _space.Close(seen);
        }

        if (seen is not null)
            AddClosedAsDead(seen, unused);
        return true;
    }

    private long BlocksAimed(long extent)
    {
        var roomy = BlockLayout.BlocksFor((extent + SegmentHeader.Bytes) * RecordsPerSegmentMin);
        var aimed = Math.Max(roomy, (Math.Min(_blocks, _limit.Blocks / 2) / SegmentsAimed) + 1);
        return Math.Min(SegmentHeader.BlocksMax, (long)BitOperations.RoundUpToPowerOf2((ulong)aimed));
    }

    // Moving the records that stay takes room before the old segment gives its room back, so a table that evicts holds
    // some blocks back.
    private long BlocksHeldBack => _limit.MayForget ? BlocksAimed(0) : 0;

    // Takes fewer blocks than aimed at when not as many lie next to each other.
    private LogSegment? TryCreateNeedsLock(LogClass logClass, long blocks, long blocksMin, bool isMove)
    {
        var heldBack = isMove ? 0 : BlocksHeldBack;
        var isInLimit = isMove || _blocks + heldBack + blocksMin <= _limit.Blocks;
        if (!isInLimit || _arena.VacantBlocks < heldBack + blocksMin)
            return null;
        blocks = Math.Max(blocksMin, Math.Min(blocks, _limit.Blocks - _blocks - heldBack));
        while (true)
        {
            var head = _arena.TryCreateSegment(
                blocks, SizeClasses.LogIndex, SegmentHeader.Unmade, out var freshFrom);
            if (head != 0)
                return Begin(head, blocks, freshFrom, logClass);
            if (blocks <= blocksMin)
                return null;
            blocks = Math.Max(blocks / 2, blocksMin);
        }
    }

    private LogSegment Begin(long head, long blocks, long freshFrom, LogClass logClass)
    {
        var offset = _space.BlockOffset(head);
        for (var block = head; block < Math.Min(head + blocks, freshFrom); block++)
        {
            // The first word is kept: it marks the segment as unmade until its header is written.
            var kept = block == head ? sizeof(ulong) : 0;
            _space.Window.Clear(_space.BlockOffset(block) + kept, BlockLayout.BlockBytes - kept);
        }

        var made = new LogSegment(head, offset, blocks * BlockLayout.BlockBytes, logClass, _sequence.Next());
        _space.WriteSegment(made, _table);
        _segments.Add(head, made);
        Volatile.Write(ref _blocks, _blocks + blocks);
        _allocator.PrepareAhead();
        return made;
    }

    // No reader finds a record in the segment any more. Its blocks become vacant when all operations that began before
    // have ended.
    private void Free(long head)
    {
        lock (_gate)
        {
            var isKnown = _segments.Remove(head, out var segment);
            Invariant.Holds(isKnown, "A segment ends once.");
            Volatile.Write(ref _blocks, _blocks - (segment!.Bytes / BlockLayout.BlockBytes));
            Interlocked.Add(ref _deadBytes, -segment.Bytes);
        }

        _arena.Free(head);
    }
}
