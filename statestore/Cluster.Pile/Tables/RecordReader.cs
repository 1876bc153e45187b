using Cluster.Pile.Expiry;
using Cluster.Pile.Layout;
using Cluster.Pile.Memory;
using Cluster.Pile.Slabs;
using Cluster.Pile.Tables.Index;
using Cluster.Pile.Tables.Log;
using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Tables;

/// <summary>Reads of one table, without locks and outside of operations. A read notices every change that happens
/// meanwhile, and begins again. Evicting tables count the reads of each record. Owned by one table;
/// stateless.</summary>
/// <remarks>
/// <list type="number">
/// <item>directory, page, bucket: find an entry with the tag</item>
/// <item>load the slab entry of the record's block, and check that the index entry is still there: the segment is then
/// in the life in which the record lies in it</item>
/// <item>load the header, compare the key, copy the value</item>
/// <item>load header, slab entry and directory again: if they are unchanged, all loaded parts belong together</item>
/// <item>if no entry was found: if bucket and directory are unchanged and unlocked, the key has no record</item>
/// </list>
/// A writer makes a record dead before the index names its successor, so a reader that still finds the dead record
/// reads again.
/// </remarks>
internal sealed class RecordReader(RecordSpace space, RecordIndex index, DeadlineClock clock, bool countsReads)
{
    private const int WordBytes = IndexPage.WordBytes;
    private const int TokenIncarnationShift = 46;

    private readonly RecordSpace _space = space;
    private readonly RecordIndex _index = index;
    private readonly DeadlineClock _clock = clock;
    private readonly NativeWindow _window = space.Window;
    private readonly SlabTable _table = space.Table;
    private readonly long _blockCount = space.BlockCount;
    private readonly bool _countsReads = countsReads;

    /// <summary>The token of a record's value. No other value gets the same token while a caller may still hold
    /// it.</summary>
    public static ulong TokenOf(long granule, RecordHeader header, SlabEntry entry) =>
        (ulong)granule | ((ulong)header.Version << PilePointer.GranuleBits)
            | ((ulong)entry.Incarnation << TokenIncarnationShift);

    /// <summary>Tries once to copy the value of a key. False: something changed during the read, and the caller tries
    /// again. The value is copied if the destination can hold all of it.</summary>
    public bool TryRead(
        in RecordKey key, in RecordTarget target, out RecordStatus status, out RecordFound found)
    {
        var hash = key.Hash;
        var directory = _index.Directory;
        var tag = IndexEntry.TagOf(hash);
        var wordAt = RecordIndex.PlaceOf(directory, tag);
        var word = _window.ReadWord(wordAt);
        var block = new PageWord(word).Block;
        if ((ulong)block > (ulong)_blockCount)
            return NothingFound(isCertain: false, out status, out found);
        var page = _space.BlockOffset(block);
        var home = IndexPage.HomeOf(hash);
        var line = IndexPage.LineIn(page, home);
        var control = new BucketControl(_window.ReadHalf(line));
        for (var distance = 0; ; line = IndexPage.LineIn(page, home + distance))
        {
            var places = IndexPage.Matches(_window, line, IndexEntry.Sought(tag, distance));
            for (; places != 0; places &= places - 1)
            {
                var at = line + (BitOperations.TrailingZeroCount(places) * WordBytes);
                var step = ReadAt(at, key.Bytes, target, out found);
                if (step == Step.Other)
                    continue;
                if (step == Step.Found && _countsReads)
                    IndexPage.CountRead(_window, line, (int)(at - line) / WordBytes);
                status = step == Step.Found ? RecordStatus.Found : RecordStatus.Missing;
                return step != Step.Changed && _window.ReadWordUnchecked(wordAt) == word
                    && ReferenceEquals(_index.Directory, directory);
            }

            if (++distance > control.Reach)
                break;
        }

        Volatile.ReadBarrier();
        var isCertain = !control.IsLocked && _window.ReadHalf(IndexPage.LineIn(page, home)) == control.Half
            && _window.ReadWord(wordAt) == word && ReferenceEquals(_index.Directory, directory);
        return NothingFound(isCertain, out status, out found);
    }

    /// <summary>Starts to fetch the bucket of a hash. Only a hint.</summary>
    public void PrefetchBucket(ulong hash)
    {
        var line = LineOf(hash);
        if (line != 0)
            _window.Prefetch(line);
    }

    /// <summary>Starts to fetch the record that the bucket of a hash names. The bucket should be in the cache by now.
    /// Only a hint.</summary>
    public void PrefetchRecord(ulong hash)
    {
        var line = LineOf(hash);
        if (line == 0)
            return;
        var places = IndexPage.Matches(_window, line, IndexEntry.Sought(IndexEntry.TagOf(hash), 0));
        if (places == 0)
            return;
        var at = line + (BitOperations.TrailingZeroCount(places) * WordBytes);
        var offset = _space.OffsetOf(new IndexEntry(_window.ReadWordUnchecked(at)).Granule);
        _window.Prefetch(offset);
        _window.Prefetch(offset + IndexPage.BucketBytes);
    }

    private static bool NothingFound(bool isCertain, out RecordStatus status, out RecordFound found)
    {
        (status, found) = (RecordStatus.Missing, default);
        return isCertain;
    }

    private long LineOf(ulong hash)
    {
        var word = _window.ReadWord(RecordIndex.PlaceOf(_index.Directory, IndexEntry.TagOf(hash)));
        var block = new PageWord(word).Block;
        return (ulong)block <= (ulong)_blockCount
            ? IndexPage.LineIn(_space.BlockOffset(block), IndexPage.HomeOf(hash))
            : 0;
    }

    // One method with only locals. The caller has checked that the index line lies in the window.
    private Step ReadAt(long at, ReadOnlySpan<byte> key, in RecordTarget target, out RecordFound found)
    {
        found = default;
        var indexed = _window.ReadWordUnchecked(at);
        var granule = new IndexEntry(indexed).Granule;
        var block = SlabTable.BlockOf(granule);
        if (block > _blockCount)
            return Step.Changed;
        var entry = _table.Entry(block);
        Volatile.ReadBarrier();
        if (_window.ReadWordUnchecked(at) != indexed || entry.State < SlabState.SegmentHead)
            return granule == 0 ? Step.Other : Step.Changed;
        var offset = _space.OffsetOf(granule);
        var header = new RecordHeader(_window.ReadWord(offset));
        if (header.Extent > _window.Length - offset)
            return Step.Changed;
        if (!_space.HasKey(offset, header, key))
            return Step.Other;
        var length = header.ValueBytes;
        _window.CopyOut(offset + header.ValueAt, target.For(length));
        var times = _space.Times(offset, header);
        Volatile.ReadBarrier();
        if (_window.ReadWordUnchecked(offset) != header.Word || _table.Entry(block) != entry
            || header.State != RecordState.Live)
        {
            return Step.Changed;
        }

        found = new RecordFound(header.Kind, length, times, TokenOf(granule, header, entry));
        return times.Deadline != 0 && _clock.IsPast(times.Deadline) ? Step.Over : Step.Found;
    }

    /// <summary>The result of a look at one entry of the index.</summary>
    private enum Step
    {
        Found,

        /// <summary>The record has expired.</summary>
        Over,

        /// <summary>The entry belongs to another key.</summary>
        Other,

        /// <summary>Something changed during the read.</summary>
        Changed,
    }
}
