using System.Numerics;
using System.Runtime.CompilerServices;
using Cluster.Pile.Memory;
using Cluster.Pile.Slabs;

namespace Cluster.Pile.Records;

/// <summary>
/// Reads of one table, without locks and outside of operations: whatever changes meanwhile is noticed, and the read
/// begins again. Owned by one table; stateless.
/// </summary>
/// <remarks>
/// <list type="number">
/// <item>directory, page, bucket: find an entry with the tag</item>
/// <item>load the slab entry of the record's block, and check that the index entry is still there: so the segment has
/// the life in which the record lies in it</item>
/// <item>load the header, compare the key, copy the value</item>
/// <item>load header, slab entry and directory again: unchanged, so all that was read belongs together</item>
/// <item>nothing found: the bucket and the directory are unchanged and unlocked, so the key is not there</item>
/// </list>
/// A writer makes a record dead before the index names its successor, so whoever still finds it looks again.
/// </remarks>
internal sealed class RecordReader
{
    private const int WordBytes = IndexPage.WordBytes;
    private const int TokenIncarnationShift = 46;

    private readonly RecordSpace _space;
    private readonly RecordIndex _index;
    private readonly RecordClock _clock;
    private readonly NativeWindow _window;
    private readonly SlabTable _table;
    private readonly long _blockCount;

    public RecordReader(RecordSpace space, RecordIndex index, RecordClock clock)
    {
        _space = space;
        _index = index;
        _clock = clock;
        _window = space.Window;
        _table = space.Table;
        _blockCount = space.BlockCount;
    }

    /// <summary>Names a value of a record for as long as anybody may remember it.</summary>
    public static ulong TokenOf(long granule, RecordHeader header, SlabEntry entry)
        => (ulong)granule | ((ulong)header.Version << PilePointer.GranuleBits)
            | ((ulong)entry.Incarnation << TokenIncarnationShift);

    /// <summary>
    /// One attempt to copy the value of a key; false when something changed meanwhile. The value is copied if the
    /// destination holds all of it.
    /// </summary>
    public bool TryRead(
        in RecordKey key, Span<byte> destination, out RecordStatus status, out RecordFound found)
    {
        var directory = _index.Directory;
        var tag = IndexEntry.TagOf(key.Hash);
        var wordAt = RecordIndex.PlaceOf(directory, tag);
        var word = _window.ReadWord(wordAt);
        var block = new PageWord(word).Block;
        (status, found) = (RecordStatus.Missing, default);
        if ((ulong)block > (ulong)_blockCount)
            return false;
        var page = new IndexPage(_window, _space.BlockOffset(block));
        var home = IndexPage.HomeOf(key.Hash);
        var controlAt = page.LineOf(home);
        var control = new BucketControl(_window.ReadHalf(controlAt));
        for (var distance = 0; distance <= control.Reach; distance++)
        {
            var line = page.LineOf(home + distance);
            var places = IndexPage.Matches(_window, line, IndexEntry.Sought(tag, distance));
            for (; places != 0; places &= places - 1)
            {
                var at = line + (BitOperations.TrailingZeroCount(places) * WordBytes);
                var isSame = TryReadAt(at, key.Bytes, destination, out status, out found);
                if (!isSame || status != RecordStatus.Missing)
                    return isSame && ReferenceEquals(_index.Directory, directory);
            }
        }

        Volatile.ReadBarrier();
        return !control.IsLocked && _window.ReadHalf(controlAt) == control.Half
            && _window.ReadWord(wordAt) == word && ReferenceEquals(_index.Directory, directory);
    }

    // False when something changed; missing when the entry is of another key.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryReadAt(
        long at, ReadOnlySpan<byte> key, Span<byte> destination, out RecordStatus status, out RecordFound found)
    {
        (status, found) = (RecordStatus.Missing, default);
        var indexed = new IndexEntry(_window.ReadWord(at));
        var granule = indexed.Granule;
        var block = SlabTable.BlockOf(granule);
        if (block > _blockCount)
            return false;
        var entry = _table.Entry(block);
        Volatile.ReadBarrier();
        if (_window.ReadWord(at) != indexed.Word || entry.State < SlabState.SegmentHead)
            return granule == 0;
        var offset = _space.OffsetOf(granule);
        var header = _space.Header(offset);
        if (header.Extent > _window.Length - offset)
            return false;
        if (!_space.HasKey(offset, header, key))
            return true;
        var length = header.ValueBytes;
        if (length <= destination.Length)
            _window.CopyOut(offset + header.ValueAt, destination[..length]);
        var times = _space.Times(offset, header);
        Volatile.ReadBarrier();
        if (_space.Header(offset) != header || _table.Entry(block) != entry)
            return false;
        return TryConclude(header, times, TokenOf(granule, header, entry), out status, out found);
    }

    private bool TryConclude(
        RecordHeader header, RecordTimes times, ulong token, out RecordStatus status, out RecordFound found)
    {
        found = new RecordFound(header.Kind, header.ValueBytes, times, token);
        var isOver = times.Deadline != 0 && _clock.IsPast(times.Deadline);
        status = header.State == RecordState.Held ? RecordStatus.Held : RecordStatus.Found;
        if (isOver)
            status = RecordStatus.Missing;
        return header.State is RecordState.Live or RecordState.Held;
    }
}
