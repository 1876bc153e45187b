using Cluster.Pile.Memory;
using Cluster.Pile.Persistence;
using Cluster.Pile.Slabs;

namespace Cluster.Pile.Records;

/// <summary>Records in native memory by the offset of their header: the only place that stores into log segments, so
/// that what must happen before a change of a block has one home: while a snapshot is under way, the block is kept
/// first. Holds no state of its own; the locks of buckets protect what it changes, claiming protects what is
/// new.</summary>
/// <remarks>Everything that stores is called inside an operation, so a snapshot never has half of it. Indexes are made
/// anew from the records and are in no snapshot.</remarks>
internal sealed class RecordSpace(NativeWindow window, BlockLayout layout, SlabTable table, bool mayRewrite)
{
    private const int ClaimAheadBytes = 1024;

    private readonly NativeWindow _window = window;
    private readonly BlockLayout _layout = layout;
    private readonly SlabTable _table = table;
    private readonly BlockGuard _guard = table.Guard;
    private readonly long _origin = layout.OriginOffset;

    /// <summary>Whether a value may be replaced in its place. Not where the memory outlives the process: its death
    /// would leave a part of each.</summary>
    public bool MayRewrite { get; } = mayRewrite;

    public NativeWindow Window => _window;

    public SlabTable Table => _table;

    public long BlockCount => _layout.BlockCount;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long OffsetOf(long granule) => _origin + (granule << 3);

    public long GranuleOf(long offset) => (offset - _origin) >> 3;

    public long BlockOffset(long block) => _layout.BlockOffset(block);

    public RecordHeader Header(long offset) => new(_window.ReadWord(offset));

    public RecordTimes Times(long offset, RecordHeader header) =>
        header.IsTimed ? new RecordTimes(_window.ReadWord(offset + RecordHeader.Bytes)) : default;

    /// <summary>The key bytes where they lie; they stay as they are while the record has an entry in the
    /// index.</summary>
    public ReadOnlySpan<byte> Key(long offset, RecordHeader header) =>
        _window.Span(offset + header.KeyAt, header.KeyBytes);

    /// <summary>The value bytes where they lie; whoever holds the lock of the bucket sees them unchanged.</summary>
    public ReadOnlySpan<byte> Value(long offset, RecordHeader header) =>
        _window.Span(offset + header.ValueAt, header.ValueBytes);

    /// <summary>The object that a record of the kind <see cref="RecordKind.Pointer"/> owns.</summary>
    public PilePointer Pointer(long offset, RecordHeader header) =>
        PilePointer.FromUInt64(BitConverter.ToUInt64(Value(offset, header)));

    /// <summary>Whether the bytes at an offset are these; they may change meanwhile.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool HasKey(long offset, RecordHeader header, ReadOnlySpan<byte> key)
    {
        if (header.KeyBytes != key.Length)
            return false;
        var at = offset + header.KeyAt;
        return key.Length == sizeof(ulong)
            ? _window.ReadWord(at) == Unsafe.ReadUnaligned<ulong>(in key[0])
            : at + key.Length <= _window.Length && _window.Span(at, key.Length).SequenceEqual(key);
    }

    /// <summary>The head of the segment that a granule lies in.</summary>
    public long HeadOf(long granule)
    {
        var block = SlabTable.BlockOf(granule);
        return _table.Entry(block).State == SlabState.SegmentHead ? block : _table.Count(block);
    }

    /// <summary>Writes a record into claimed memory, which is blank or where one died. The header says at once how long
    /// it is, and at last that it lives.</summary>
    public void Write(long offset, RecordHeader header, RecordTimes times, in RecordKey key, ReadOnlySpan<byte> value)
    {
        BeforeChange(offset, header.Extent);
        _window.WriteWord(offset, header.With(RecordState.Busy).Word);

        // Readers who still look for the one that died see the change before they can see any of it.
        Volatile.WriteBarrier();
        if (header.IsTimed)
            _window.WriteWord(offset + RecordHeader.Bytes, times.Word);
        _window.CopyIn(offset + header.KeyAt, key.Bytes);
        _window.CopyIn(offset + header.ValueAt, value);
        _window.WriteWord(offset, header.Word);
    }

    /// <summary>Replaces the value of a record in its place. Readers who look meanwhile see that the header
    /// changed.</summary>
    public void Rewrite(
        long offset, RecordHeader header, RecordHeader next, RecordTimes times, ReadOnlySpan<byte> value)
    {
        BeforeChange(offset, header.Extent);
        NoteWrap(offset, next);
        _window.WriteWord(offset, header.With(RecordState.Busy).Word);
        Volatile.WriteBarrier();
        if (next.IsTimed)
            _window.WriteWord(offset + RecordHeader.Bytes, times.Word);
        _window.CopyIn(offset + next.ValueAt, value);
        _window.WriteWord(offset, next.Word);
    }

    /// <summary>The class of the segment that a record lies in.</summary>
    public LogClass ClassAt(long offset)
    {
        var segment = BlockOffset(HeadOf(GranuleOf(offset)));
        return SegmentHeader.ClassOf(
            _window.ReadWord(segment + SegmentHeader.TableAt), _window.ReadWord(segment + SegmentHeader.WindowAt));
    }

    /// <summary>The header of a record that is to be written where one died: readers who still look for that one find
    /// another version.</summary>
    public RecordHeader NextAt(long offset, RecordHeader header)
    {
        BeforeChange(offset, RecordHeader.Bytes);
        var next = header.After(Header(offset));
        NoteWrap(offset, next);
        return next;
    }

    /// <summary>Copies a record that nobody can change into claimed, blank memory.</summary>
    public void CopyRecord(long from, long to, RecordHeader header)
    {
        BeforeChange(to, header.Extent);
        _window.WriteWord(to, header.With(RecordState.Busy).Word);
        var bytes = header.ValueAt - RecordHeader.Bytes + header.ValueBytes;
        _window.CopyWithin(from + RecordHeader.Bytes, to + RecordHeader.Bytes, bytes);
        _window.WriteWord(to, header.Word);
    }

    /// <summary>Writes the header of a new segment, whose memory is blank; whoever took its blocks in this operation
    /// has kept them.</summary>
    public void WriteSegment(LogSegment segment, uint table)
    {
        var offset = segment.Offset;
        _window.WriteWord(offset + SegmentHeader.TableAt, SegmentHeader.Describe(table, segment.Class));
        _window.WriteWord(offset + SegmentHeader.SequenceAt, segment.Sequence);
        _window.WriteWord(offset + SegmentHeader.CursorAt, SegmentHeader.Bytes);
        _window.WriteWord(offset + SegmentHeader.WindowAt, segment.Class.Window);
        _window.WriteWord(offset + SegmentHeader.MagicAt, SegmentHeader.Magic);
    }

    /// <summary>Claims room behind the last record of a segment; false when there is too little, or it is
    /// closed.</summary>
    public bool TryClaim(LogSegment segment, long extent, out long offset)
    {
        BeforeChange(segment.Offset, SegmentHeader.Bytes);
        while (true)
        {
            var cursor = _window.ReadWord(segment.CursorAt);
            offset = segment.Offset + (long)cursor;

            // A closed one has its highest bit set and so has no room either.
            if (cursor + (ulong)extent > (ulong)segment.Bytes)
                return false;
            if (!_window.TryExchangeWord(segment.CursorAt, cursor, cursor + (ulong)extent))
                continue;

            // The memory of records to come, which would otherwise be waited for under the next lock.
            var ahead = offset + ClaimAheadBytes;
            for (var line = ahead; line < ahead + Math.Min(extent, ClaimAheadBytes); line += IndexPage.BucketBytes)
                _window.Prefetch(line);
            return true;
        }
    }

    /// <summary>Lets nobody claim room in a segment any more; gives the bytes that hold no record, or -1 when it was
    /// closed.</summary>
    public long Close(LogSegment segment)
    {
        BeforeChange(segment.Offset, SegmentHeader.Bytes);
        while (true)
        {
            var cursor = _window.ReadWord(segment.CursorAt);
            if ((cursor & SegmentHeader.Closed) != 0)
                return -1;
            if (_window.TryExchangeWord(segment.CursorAt, cursor, cursor | SegmentHeader.Closed))
                return segment.Bytes - (long)cursor + SegmentHeader.Bytes;
        }
    }

    public bool IsClosed(LogSegment segment) => (_window.ReadWord(segment.CursorAt) & SegmentHeader.Closed) != 0;

    /// <summary>Bytes of a segment that records take; nearly, while they change.</summary>
    public long LiveBytes(LogSegment segment) =>
        (IsClosed(segment) ? segment.Bytes : EndOf(segment) - segment.Offset) - _table.Dead(segment.Head);

    /// <summary>Where the last record of a segment ends.</summary>
    public long EndOf(LogSegment segment) =>
        segment.Offset + (long)(_window.ReadWord(segment.CursorAt) & ~SegmentHeader.Closed);

    /// <summary>Sets the state of a record.</summary>
    public void SetState(long offset, RecordHeader header, RecordState state)
    {
        BeforeChange(offset, RecordHeader.Bytes);
        _window.WriteWord(offset, header.With(state).Word);
    }

    /// <summary>Sets when a timed record ends; one word, so readers see the old times or the new.</summary>
    public void SetTimes(long offset, RecordTimes times)
    {
        BeforeChange(offset + RecordHeader.Bytes, RecordTimes.Bytes);
        _window.WriteWord(offset + RecordHeader.Bytes, times.Word);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void BeforeChange(long offset, long bytes)
    {
        if (_guard.IsWatched)
            Keep(offset, bytes);
    }

    private void Keep(long offset, long bytes) =>
        _guard.BeforeChange(
            SlabTable.BlockOf(GranuleOf(offset)), SlabTable.BlockOf(GranuleOf(offset + bytes - 1)));

    // A reader who sleeps through all versions of a record still finds the slab entry changed.
    private void NoteWrap(long offset, RecordHeader next)
    {
        if (next.Version == 0)
            _table.NoteWrap(GranuleOf(offset));
    }
}
