using Cluster.Pile.Barriers;
using Cluster.Pile.Layout;
using Cluster.Pile.Memory;
using Cluster.Pile.Slabs;
using Cluster.Pile.Tables.Index;
using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Tables.Log;

/// <summary>Records in native memory by the offset of their header. Only this type stores into log segments, so it
/// alone passes the write barrier that keeps a block for a snapshot before it changes. Holds no state; the locks of
/// buckets protect existing records, and claiming protects new ones.</summary>
/// <remarks>Every method that stores is called inside an operation, so a snapshot never has half a change. Snapshots
/// contain no indexes, which are built again from the records.</remarks>
internal sealed class RecordSpace(NativeWindow window, BlockLayout layout, SlabTable table, bool mayRewrite)
{
    private const int ClaimAheadBytes = 1024;

    private readonly NativeWindow _window = window;
    private readonly BlockLayout _layout = layout;
    private readonly SlabTable _table = table;
    private readonly WriteBarrier _barrier = table.Barrier;
    private readonly long _origin = layout.OriginOffset;

    /// <summary>Whether a value may be replaced in place. False where the memory survives the process: a process that
    /// dies during the replacement would leave a mix of old and new value.</summary>
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

    /// <summary>The key bytes in the record; unchanged while the record has an entry in the index.</summary>
    public ReadOnlySpan<byte> Key(long offset, RecordHeader header) =>
        _window.Span(offset + header.KeyAt, header.KeyBytes);

    /// <summary>The value bytes in the record; unchanged while the caller holds the lock of the bucket.</summary>
    public ReadOnlySpan<byte> Value(long offset, RecordHeader header) =>
        _window.Span(offset + header.ValueAt, header.ValueBytes);

    /// <summary>The object that a record of the kind <see cref="RecordKind.Pointer"/> owns.</summary>
    public PilePointer Pointer(long offset, RecordHeader header) =>
        PilePointer.FromUInt64(BitConverter.ToUInt64(Value(offset, header)));

    /// <summary>Whether the record's key has these bytes. The record may change during the call.</summary>
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

    /// <summary>The first block of the segment in which a granule lies.</summary>
    public long HeadOf(long granule)
    {
        var block = SlabTable.BlockOf(granule);
        return _table.Entry(block).State == SlabState.SegmentHead ? block : _table.Count(block);
    }

    /// <summary>Writes a record into claimed memory, which is blank or the place of a dead record. The first store of
    /// the header sets the record's length; the last one makes it live.</summary>
    public void Write(long offset, RecordHeader header, RecordTimes times, in RecordPut put)
    {
        BeforeChange(offset, header.Extent);
        _window.WriteWord(offset, header.With(RecordState.Busy).Word);

        // A reader that still looks at the dead record sees its changed header before any of the new bytes.
        Volatile.WriteBarrier();
        if (header.IsTimed)
            _window.WriteWord(offset + RecordHeader.Bytes, times.Word);
        _window.CopyIn(offset + header.KeyAt, put.Key.Bytes);
        CopyValue(offset + header.ValueAt, put);
        _window.WriteWord(offset, header.Word);
    }

    /// <summary>Replaces the value of a record in place, or its first bytes. A reader of the old value sees that the
    /// header changed.</summary>
    public void Rewrite(
        long offset, RecordHeader header, RecordHeader next, RecordTimes times, in RecordPut put)
    {
        BeforeChange(offset, header.Extent);
        NoteWrap(offset, next);
        _window.WriteWord(offset, header.With(RecordState.Busy).Word);
        Volatile.WriteBarrier();
        if (next.IsTimed)
            _window.WriteWord(offset + RecordHeader.Bytes, times.Word);
        CopyValue(offset + next.ValueAt, put);
        _window.WriteWord(offset, next.Word);
    }

    public LogClass ClassAt(long offset)
    {
        var segment = BlockOffset(HeadOf(GranuleOf(offset)));
        return SegmentHeader.ClassOf(
            _window.ReadWord(segment + SegmentHeader.TableAt), _window.ReadWord(segment + SegmentHeader.WindowAt));
    }

    /// <summary>The header of a record that is written over a dead one: with the next version, so that a reader that
    /// still looks at the dead record notices.</summary>
    public RecordHeader NextAt(long offset, RecordHeader header)
    {
        BeforeChange(offset, RecordHeader.Bytes);
        var next = header.After(Header(offset));
        NoteWrap(offset, next);
        return next;
    }

    /// <summary>Copies a record that no thread can change into claimed, blank memory.</summary>
    public void CopyRecord(long from, long to, RecordHeader header)
    {
        BeforeChange(to, header.Extent);
        _window.WriteWord(to, header.With(RecordState.Busy).Word);
        var bytes = header.ValueAt - RecordHeader.Bytes + header.ValueBytes;
        _window.CopyWithin(from + RecordHeader.Bytes, to + RecordHeader.Bytes, bytes);
        _window.WriteWord(to, header.Word);
    }

    /// <summary>Writes the header of a new segment, whose memory is blank. The write barrier was passed when this
    /// operation took its blocks.</summary>
    public void WriteSegment(LogSegment segment, uint table)
    {
        var offset = segment.Offset;
        _window.WriteWord(offset + SegmentHeader.TableAt, SegmentHeader.Describe(table, segment.Class));
        _window.WriteWord(offset + SegmentHeader.SequenceAt, segment.Sequence);
        _window.WriteWord(offset + SegmentHeader.CursorAt, SegmentHeader.Bytes);
        _window.WriteWord(offset + SegmentHeader.WindowAt, segment.Class.Window);
        _window.WriteWord(offset + SegmentHeader.MagicAt, SegmentHeader.Magic);
    }

    /// <summary>Claims room after the last record of a segment. False: the room is too small, or the segment is
    /// closed.</summary>
    public bool TryClaim(LogSegment segment, long extent, out long offset)
    {
        BeforeChange(segment.Offset, SegmentHeader.Bytes);
        while (true)
        {
            var cursor = _window.ReadWord(segment.CursorAt);
            offset = segment.Offset + (long)cursor;

            // A closed segment has the highest bit of the cursor set, so this check refuses it too.
            if (cursor + (ulong)extent > (ulong)segment.Bytes)
                return false;
            if (!_window.TryExchangeWord(segment.CursorAt, cursor, cursor + (ulong)extent))
                continue;

            // Prefetches the memory of the next records; otherwise the next writer would wait for it while it holds a
            // lock.
            var ahead = offset + ClaimAheadBytes;
            for (var line = ahead; line < ahead + Math.Min(extent, ClaimAheadBytes); line += IndexPage.BucketBytes)
                _window.Prefetch(line);
            return true;
        }
    }

    /// <summary>Closes a segment: no thread can claim room in it any more. Returns the bytes without records, which are
    /// the header and the unused end, or -1 when the segment was closed before.</summary>
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

    /// <summary>The bytes of a segment that live records take; approximate while records change.</summary>
    public long LiveBytes(LogSegment segment) =>
        (IsClosed(segment) ? segment.Bytes : EndOf(segment) - segment.Offset) - _table.Dead(segment.Head);

    /// <summary>The offset at which the last record of a segment ends.</summary>
    public long EndOf(LogSegment segment) =>
        segment.Offset + (long)(_window.ReadWord(segment.CursorAt) & ~SegmentHeader.Closed);

    public void SetState(long offset, RecordHeader header, RecordState state)
    {
        BeforeChange(offset, RecordHeader.Bytes);
        _window.WriteWord(offset, header.With(state).Word);
    }

    /// <summary>Sets the times of a timed record. They are one word, so a reader sees the old times or the new
    /// ones.</summary>
    public void SetTimes(long offset, RecordTimes times)
    {
        BeforeChange(offset + RecordHeader.Bytes, RecordTimes.Bytes);
        _window.WriteWord(offset + RecordHeader.Bytes, times.Word);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void CopyValue(long offset, in RecordPut put)
    {
        if (!put.Head.IsEmpty)
            _window.CopyIn(offset, put.Head);
        _window.CopyIn(offset + put.Head.Length, put.Value);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void BeforeChange(long offset, long bytes)
    {
        if (_barrier.IsWatched)
            Keep(offset, bytes);
    }

    private void Keep(long offset, long bytes) =>
        _barrier.BeforeChange(
            SlabTable.BlockOf(GranuleOf(offset)), SlabTable.BlockOf(GranuleOf(offset + bytes - 1)));

    // The version of a record wraps around. A reader that was suspended during all versions notices it by the changed
    // slab entry.
    private void NoteWrap(long offset, RecordHeader next)
    {
        if (next.Version == 0)
            _table.NoteWrap(GranuleOf(offset));
    }
}
