using System.Numerics;
using Cluster.Pile.Memory;
using Cluster.Pile.Slabs;

namespace Cluster.Pile.Records;

/// <summary>
/// The log segments of one table: gives out room for records and counts what died in them; a segment in which nothing is
/// used any more ends by itself. Owned by one table. Room is claimed by compare-and-swap on the cursor of an open
/// segment; everything else is guarded by its lock.
/// </summary>
/// <remarks>
/// The bytes of a segment that are not used any more also count its header and its unused end once it is closed. So they
/// reach the size of the segment exactly when it is closed and its last record died, and whoever adds the last ones ends
/// the segment. An open segment keeps the place of the record that died in it last, for the next one of the same extent:
/// records that come and go at once leave nothing behind. Places keep their extents, so a header is only ever followed by
/// another one, at its next version.
/// </remarks>
internal sealed class RecordLog
{
    // A table of this many segments' worth gets larger segments.
    private const int SegmentsAimed = 16;

    // Of a segment that records may end up unused because the next record does not fit.
    private const int RecordsPerSegmentMin = 4;

    // A larger record has a segment of its own.
    private const long SharedExtentMax = BlockLayout.SegmentBytes / RecordsPerSegmentMin;

    private readonly RecordSpace _space;
    private readonly NativeWindow _window;
    private readonly SlabArena _arena;
    private readonly LogSequence _sequence;
    private readonly uint _table;
    private readonly int _lanes;
    private readonly Lock _gate = new();
    private readonly Dictionary<long, LogSegment> _segments = [];
    private readonly Dictionary<LogClass, LogStream> _streams = [];
    private long _blocks;
    private long _deadBytes;

    public RecordLog(RecordSpace space, SlabArena arena, LogSequence sequence, uint table, int lanes)
    {
        _space = space;
        _window = space.Window;
        _arena = arena;
        _sequence = sequence;
        _table = table;
        _lanes = lanes;
        Main = StreamOf(default);
    }

    /// <summary>Records of the lowest priority without a deadline.</summary>
    public LogStream Main { get; }

    /// <summary>Blocks of all segments.</summary>
    public long Blocks => Volatile.Read(ref _blocks);

    /// <summary>Bytes in these segments that are not used any more, or never were.</summary>
    public long DeadBytes => Volatile.Read(ref _deadBytes);

    public LogStream StreamOf(LogClass logClass)
    {
        lock (_gate)
        {
            if (!_streams.TryGetValue(logClass, out var stream))
                _streams[logClass] = stream = new LogStream(logClass, _lanes);
            return stream;
        }
    }

    /// <summary>
    /// Claims room for a record; gives where its header goes, or 0 when the pile has no room. Called inside an operation,
    /// whose caller writes the record before it ends. Where a record died there before, its header says so.
    /// </summary>
    public long Claim(LogStream stream, int lane, long extent, out bool isUsedAgain)
    {
        isUsedAgain = false;
        if (extent > SharedExtentMax)
            return ClaimOwn(stream.Class, extent);
        while (true)
        {
            var open = stream.Open(lane);
            if (open is not null)
            {
                isUsedAgain = TryClaimKept(open, extent, out var offset);
                if (isUsedAgain || TryClaim(open, extent, out offset))
                    return offset;
            }

            if (!TryExtend(stream, lane, open, extent))
                return 0;
        }
    }

    /// <summary>
    /// Takes back the place of a record that was just made dead: keeps it in the caller's open segment, or counts it as
    /// dead and ends its segment when it was the last.
    /// </summary>
    public void Retire(LogStream stream, int lane, long offset, long extent)
    {
        var open = stream.Open(lane);
        if (open is null || !open.Holds(offset))
        {
            AddDeadAt(_space.HeadOf(_space.GranuleOf(offset)), extent);
            return;
        }

        AddKeptAsDead(open, open.ExchangeKept(offset));

        // Whoever closes the segment either finds what was kept or is seen here.
        if ((_window.ReadWord(open.CursorAt) & SegmentHeader.Closed) != 0)
            AddKeptAsDead(open, open.ExchangeKept(0));
    }

    /// <summary>All segments, as they are now.</summary>
    public LogSegment[] Snapshot()
    {
        lock (_gate)
            return [.. _segments.Values];
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

    private static long BlocksFor(long bytes) => (bytes + BlockLayout.BlockBytes - 1) / BlockLayout.BlockBytes;

    private void AddKeptAsDead(LogSegment segment, long offset)
    {
        if (offset != 0)
            AddDeadAt(segment.Head, _space.Header(offset).Extent);
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

    private long ClaimOwn(LogClass logClass, long extent)
    {
        LogSegment? made;
        long unused;
        lock (_gate)
        {
            var blocks = BlocksFor(extent + SegmentHeader.Bytes);
            made = TryCreateNeedsLock(logClass, blocks, blocks);
            if (made is null)
                return 0;
            _window.WriteWord(made.CursorAt, SegmentHeader.Bytes + (ulong)extent);
            unused = Close(made);
        }

        AddDeadAt(made.Head, unused);
        return made.Offset + SegmentHeader.Bytes;
    }

    private bool TryClaimKept(LogSegment open, long extent, out long offset)
    {
        offset = open.Kept;
        return offset != 0 && _space.Header(offset).Extent == extent && open.TryTakeKept(offset);
    }

    private bool TryClaim(LogSegment open, long extent, out long offset)
    {
        while (true)
        {
            var cursor = _window.ReadWord(open.CursorAt);
            offset = open.Offset + (long)cursor;

            // A closed one has its highest bit set and so has no room either.
            if (cursor + (ulong)extent > (ulong)open.Bytes)
                return false;
            if (_window.TryExchangeWord(open.CursorAt, cursor, cursor + (ulong)extent))
                return true;
        }
    }

    // True when the caller may try again.
    private bool TryExtend(LogStream stream, int lane, LogSegment? seen, long extent)
    {
        long unused;
        lock (_gate)
        {
            if (!ReferenceEquals(stream.Open(lane), seen))
                return true;
            var made = TryCreateNeedsLock(stream.Class, BlocksAimed(extent), BlocksFor(extent + SegmentHeader.Bytes));
            if (made is null)
                return false;
            stream.SetOpen(lane, made);
            unused = seen is null ? 0 : Close(seen);
        }

        if (seen is not null)
        {
            AddKeptAsDead(seen, seen.ExchangeKept(0));
            AddDeadAt(seen.Head, unused);
        }

        return true;
    }

    // Gives what is never used of the segment: its header and its end.
    private long Close(LogSegment segment)
    {
        while (true)
        {
            var cursor = _window.ReadWord(segment.CursorAt);
            if (_window.TryExchangeWord(segment.CursorAt, cursor, cursor | SegmentHeader.Closed))
                return segment.Bytes - (long)cursor + SegmentHeader.Bytes;
        }
    }

    private long BlocksAimed(long extent)
    {
        var roomy = BlocksFor((extent + SegmentHeader.Bytes) * RecordsPerSegmentMin);
        var aimed = Math.Max(roomy, (_blocks / SegmentsAimed) + 1);
        return Math.Min(SegmentHeader.BlocksMax, (long)BitOperations.RoundUpToPowerOf2((ulong)aimed));
    }

    // Takes fewer blocks than would be best where no more lie side by side.
    private LogSegment? TryCreateNeedsLock(LogClass logClass, long blocks, long blocksMin)
    {
        while (true)
        {
            var head = _arena.TryCreateSegment(blocks, SizeClasses.LogIndex, out var freshFrom);
            if (head != 0)
                return Begin(head, blocks, freshFrom, logClass);
            if (blocks <= blocksMin)
                return null;
            blocks = Math.Max(blocks / 2, blocksMin);
        }
    }

    private LogSegment Begin(long head, long blocks, long freshFrom, LogClass logClass)
    {
        for (var block = head; block < Math.Min(head + blocks, freshFrom); block++)
            _window.Clear(_space.BlockOffset(block), BlockLayout.BlockBytes);
        var offset = _space.BlockOffset(head);
        var made = new LogSegment(head, offset, blocks * BlockLayout.BlockBytes, logClass, _sequence.Next());
        _window.WriteWord(offset + SegmentHeader.TableAt, SegmentHeader.Describe(_table, logClass));
        _window.WriteWord(offset + SegmentHeader.SequenceAt, made.Sequence);
        _window.WriteWord(offset + SegmentHeader.CursorAt, SegmentHeader.Bytes);
        _window.WriteWord(offset + SegmentHeader.WindowAt, logClass.Window);
        _window.WriteWord(offset + SegmentHeader.MagicAt, SegmentHeader.Magic);
        _segments.Add(head, made);
        Volatile.Write(ref _blocks, _blocks + blocks);
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
