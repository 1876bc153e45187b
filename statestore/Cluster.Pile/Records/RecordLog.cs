using Cluster.Pile.Memory;
using Cluster.Pile.Slabs;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Records;

/// <summary>The log segments of one table: gives out room for records and counts what died in them; a segment in which
/// nothing is used any more ends by itself. Owned by one table. Room is claimed by compare-and-swap on the cursor of an
/// open segment; everything else is guarded by its lock.</summary>
/// <remarks>The bytes of a segment that are not used any more also count its header and its unused end once it is
/// closed. So they reach the size of the segment exactly when it is closed and its last record died, and whoever adds
/// the last ones ends the segment. An open segment keeps the place of the record that died in it last, for the next one
/// of the same extent: records that come and go at once leave nothing behind. Places keep their extents, so a header is
/// only ever followed by another one, at its next version.</remarks>
internal sealed class RecordLog
{
    // A table gets larger segments as it grows, but stays in so many pieces that an old one is a small part of it.
    private const int SegmentsAimed = 64;

    // From so many dead bytes on, and this part of all, a log is sparse.
    private const long SparseBytesMin = 2 * BlockLayout.SegmentBytes;
    private const int SparseShare = 4;

    // The same, when nothing goes on.
    private const long LooseBytesMin = BlockLayout.SegmentBytes / 2;
    private const int LooseShare = 8;

    // Of a segment that records may end up unused because the next record does not fit.
    private const int RecordsPerSegmentMin = 4;

    // A larger record has a segment of its own.
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
    private long _deadBytes;

    public RecordLog(RecordRealm realm, RecordLimit limit, uint table, int lanes)
    {
        _space = realm.Space;
        _arena = realm.Arena;
        _allocator = realm.Allocator;
        _sequence = realm.Sequence;
        _limit = limit;
        _table = table;
        _lanes = lanes;
        _main = StreamOf(default);
    }

    /// <summary>Whether all records were put without a deadline and with the lowest priority.</summary>
    public bool IsUniform => Volatile.Read(ref _isUniform);

    /// <summary>Blocks of all segments.</summary>
    public long Blocks => Volatile.Read(ref _blocks);

    /// <summary>Bytes in these segments that are not used any more, or never were.</summary>
    public long DeadBytes => Volatile.Read(ref _deadBytes);

    /// <summary>Whether so much of the log is dead that it is worth while to move records together.</summary>
    public bool IsSparse
    {
        get
        {
            var dead = DeadBytes;
            return dead > SparseBytesMin && dead > Blocks * (BlockLayout.BlockBytes / SparseShare);
        }
    }

    /// <summary>Whether enough of the log is dead that records are moved together when nothing else goes on.</summary>
    public bool IsLoose
    {
        get
        {
            var dead = DeadBytes;
            return dead > LooseBytesMin && dead > Blocks * (BlockLayout.BlockBytes / LooseShare);
        }
    }

    /// <summary>The open segments of a class.</summary>
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

    /// <summary>Claims room for a record; gives where its header goes, or 0 when there is none. Called inside an
    /// operation, whose caller writes the record before it ends. Where a record died there before, its header says
    /// so.</summary>
    public long Claim(LogStream stream, int lane, long extent, out bool isUsedAgain)
    {
        isUsedAgain = TryClaimKept(stream.Open(lane), extent, out var offset);
        return isUsedAgain ? offset : Claim(stream, lane, extent, isMove: false);
    }

    /// <summary>Like the other claim, for a record whose present room comes back soon: what is held back for this may
    /// be used.</summary>
    public long ClaimForMove(LogStream stream, long extent) => Claim(stream, stream.Lanes - 1, extent, isMove: true);

    /// <summary>Counts a record as dead that was just made so, and ends its segment when it was the last.</summary>
    public void AddDead(long offset, long extent) => AddDeadAt(_space.HeadOf(_space.GranuleOf(offset)), extent);

    /// <summary>Takes back the place of a record that was just made dead: keeps it in the caller's open segment, or
    /// counts it as dead and ends its segment when it was the last.</summary>
    public void Retire(int lane, long offset, long extent)
    {
        var open = _main.Open(lane % _main.Lanes);
        if (open is null || !open.Holds(offset))
        {
            AddDead(offset, extent);
            return;
        }

        AddKeptAsDead(open, open.ExchangeKept(offset));

        // Whoever closes the segment either finds what was kept or is seen here.
        if (_space.IsClosed(open))
            AddKeptAsDead(open, open.ExchangeKept(0));
    }

    /// <summary>All segments, as they are now.</summary>
    public LogSegment[] Snapshot()
    {
        lock (_gate)
            return [.. _segments.Values];
    }

    /// <summary>Whether a segment has not ended; inside an operation it then stays where it is.</summary>
    public bool IsAlive(LogSegment segment)
    {
        lock (_gate)
            return _segments.TryGetValue(segment.Head, out var alive) && ReferenceEquals(alive, segment);
    }

    /// <summary>Lets nobody claim room in a segment any more, so that its records can be moved or removed.</summary>
    public void Close(LogSegment segment)
    {
        long unused;
        lock (_gate)
        {
            if (!_segments.TryGetValue(segment.Head, out var alive) || !ReferenceEquals(alive, segment))
                return;
            if (_streams.TryGetValue(segment.Class, out var stream) && stream.Forget(segment) && stream.Level != 0)
                _streams.Remove(segment.Class);
            unused = _space.Close(segment);
        }

        AddClosedAsDead(segment, unused);
    }

    /// <summary>Takes over a segment that was found in restored or attached memory; nobody else knows the
    /// table.</summary>
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

    /// <summary>Forgets all segments, after a purge has ended them; no operation is running.</summary>
    public void Clear()
    {
        lock (_gate)
        {
            _segments.Clear();
            foreach (var stream in _streams.Values)
                stream.Clear();
            Volatile.Write(ref _blocks, 0);
            Volatile.Write(ref _deadBytes, 0);
        }
    }

    /// <summary>The blocks that a record needs at least.</summary>
    public static long BlocksForRecord(long extent) => BlockLayout.BlocksFor(extent + SegmentHeader.Bytes);

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

    // Of a segment that was just closed; by somebody else when nothing is said to be unused.
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
            End(head);
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

    // True when the caller may try again.
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

    // A table that evicts needs room to move what shall stay before it has the room of what went.
    private long BlocksHeldBack => _limit.MayForget ? BlocksAimed(0) : 0;

    // Takes fewer blocks than would be best where no more lie side by side.
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
            // The first word says that the header is still to come.
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

    // Nobody finds a record there any more; the blocks come back when all operations that began before are over.
    private void End(long head)
    {
        lock (_gate)
        {
            var isKnown = _segments.Remove(head, out var segment);
            Invariant.Holds(isKnown, "A segment ends once.");
            Volatile.Write(ref _blocks, _blocks - (segment!.Bytes / BlockLayout.BlockBytes));
            Interlocked.Add(ref _deadBytes, -segment.Bytes);
        }

        _arena.End(head);
    }
}
