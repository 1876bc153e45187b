using Cluster.Pile.Layout;
using Cluster.Pile.Memory;
using Cluster.Pile.Slabs;
using Cluster.Pile.Tables.Log;
using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Tables.Index;

/// <summary>The record of each key of one table: extendible hashing over pages of one block. The top bits of a hash
/// choose the page through the directory, the lowest bits choose the bucket. Owned by one table; each bucket has a
/// lock, and one more lock lets one page be split at a time.</summary>
/// <remarks>
/// <para>Splitting a page; only writers to this page wait for it:</para>
/// <list type="number">
/// <item>take a block for the new page; double the directory when only one of its entries names the page</item>
/// <item>lock all buckets of the page</item>
/// <item>move the entries whose next bit is set to the same places of the new page</item>
/// <item>publish the new page in the directory</item>
/// <item>unlock the buckets at a new version</item>
/// </list>
/// <para>Two pages are merged in the same way, when many records were removed and the pile is compacted.</para>
/// <para>A reader that finds no entry checks that the directory and its bucket did not change, so it never misses an
/// entry that moves. A writer checks the directory after it has taken the lock.</para>
/// </remarks>
internal sealed class RecordIndex
{
    private const int WordBytes = IndexPage.WordBytes;
    private const int WordShift = 3;

    // A page that was merged from two can take as many entries again before it is split.
    private const int EntriesMergedMax = IndexPage.Buckets * IndexPage.EntriesPerBucket / 2;

    /// <summary>The bytes of an empty index.</summary>
    public const long BytesMin = 2 * BlockLayout.BlockBytes;

    private readonly RecordSpace _space;
    private readonly NativeWindow _window;
    private readonly SlabArena _arena;
    private readonly Lock _growth = new();
    private IndexDirectory _directory;
    private long _pages;
    private long _directoryBlocks;

    private RecordIndex(RecordSpace space, SlabArena arena, KeyHash hash, IndexDirectory directory)
    {
        Hash = hash;
        _space = space;
        _window = space.Window;
        _arena = arena;
        _directory = directory;
        _pages = 1;
        _directoryBlocks = 1;
    }

    /// <summary>The hash of keys in this index.</summary>
    public KeyHash Hash { get; }

    public IndexDirectory Directory
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Volatile.Read(ref _directory);
    }

    public long Pages => Volatile.Read(ref _pages);

    public long Blocks => Pages + Volatile.Read(ref _directoryBlocks);

    /// <summary>Creates an empty index. False: the pile has no room.</summary>
    public static bool TryCreate(
        RecordSpace space, SlabArena arena, KeyHash hash, [NotNullWhen(true)] out RecordIndex? index)
    {
        var directory = TryBegin(space, arena);
        index = directory is null ? null : new RecordIndex(space, arena, hash, directory);
        return index is not null;
    }

    /// <summary>Makes the index empty, after a purge has freed all pages. False: the pile has no room. No operation is
    /// running.</summary>
    public bool TryClear()
    {
        var directory = TryBegin(_space, _arena);
        if (directory is null)
            return false;
        Volatile.Write(ref _directory, directory);
        Volatile.Write(ref _pages, 1);
        Volatile.Write(ref _directoryBlocks, 1);
        return true;
    }

    /// <summary>The offset of the directory entry that names the page of a tag.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long PlaceOf(IndexDirectory directory, uint tag) =>
        directory.Offset + ((long)(tag >> directory.Shift) << WordShift);

    /// <summary>Locks the bucket of a hash. Called inside an operation.</summary>
    public LockedBucket Lock(ulong hash)
    {
        var tag = IndexEntry.TagOf(hash);
        var spin = default(SpinWait);
        while (true)
        {
            var directory = Directory;
            var at = PlaceOf(directory, tag);
            var word = new PageWord(_window.ReadWord(at));
            var page = new IndexPage(_window, _space.BlockOffset(word.Block));
            var line = page.LineOf(IndexPage.HomeOf(hash));
            var control = new BucketControl(_window.ReadHalf(line));
            if (!control.IsLocked && _window.TryExchangeHalf(line, control.Half, control.Half | BucketControl.Locked))
            {
                if (_window.ReadWord(at) == word.Word && ReferenceEquals(Directory, directory))
                    return new LockedBucket(hash, word, page, control);
                _window.WriteHalf(line, control.Half);
            }

            spin.SpinOnce(sleep1Threshold: -1);
        }
    }

    /// <summary>Unlocks a bucket whose keys changed, at the next version.</summary>
    public void Unlock(in LockedBucket bucket) => _window.WriteHalf(bucket.Line, bucket.Control.Changed().Half);

    /// <summary>Unlocks a bucket whose keys did not change, at the same version.</summary>
    public void UnlockUnchanged(in LockedBucket bucket) => _window.WriteHalf(bucket.Line, bucket.Control.Half);

    /// <summary>Finds the entry of a key; returns its offset, or 0 when the key has no entry.</summary>
    public long Find(in LockedBucket bucket, ReadOnlySpan<byte> key, out IndexEntry entry)
    {
        for (var distance = 0; distance <= bucket.Control.Reach; distance++)
        {
            var line = bucket.Page.LineOf(bucket.Home + distance);
            var places = IndexPage.Matches(_window, line, IndexEntry.Sought(bucket.Tag, distance));
            for (; places != 0; places &= places - 1)
            {
                var at = line + (BitOperations.TrailingZeroCount(places) * WordBytes);
                entry = EntryAt(at);
                if (entry.Granule == 0)
                    continue;
                var offset = _space.OffsetOf(entry.Granule);
                if (_space.HasKey(offset, _space.Header(offset), key))
                    return at;
            }
        }

        entry = default;
        return 0;
    }

    public IndexEntry EntryAt(long at) => new(_window.ReadWord(at));

    /// <summary>The first blocks of all pages and of the directory.</summary>
    public IEnumerable<long> Heads()
    {
        var directory = Directory;
        var pages = new HashSet<long> { directory.Head };
        for (long index = 0; index < 1L << directory.Depth; index++)
            pages.Add(new PageWord(_window.ReadWord(directory.Offset + (index * WordBytes))).Block);
        return pages;
    }

    /// <summary>How often the record of an entry was read lately, at most three.</summary>
    public int Reads(long at) => IndexPage.Reads(_window, LineAround(at), PlaceOf(at));

    public void SetReads(long at, int reads) => IndexPage.SetReads(_window, LineAround(at), PlaceOf(at), reads);

    /// <summary>Adds the entry of a new key. False: the caller has to split the page first.</summary>
    public static bool TryAdd(ref LockedBucket bucket, long granule) =>
        bucket.Page.TryPlace(bucket.Home, new IndexEntry(bucket.Tag, 0, granule), ref bucket.Control);

    public void Replace(long at, IndexEntry entry, long granule) => _window.WriteWord(at, entry.At(granule).Word);

    public void Remove(ref LockedBucket bucket, long at, IndexEntry entry)
    {
        _window.WriteWord(at, 0);
        if (entry.Distance > 0)
            bucket.Control = bucket.Control.WithoutStray();
    }

    /// <summary>Splits the page of a hash, unless another thread has split it since the caller saw
    /// <paramref name="seen"/>. False: the pile has no room. The caller holds no bucket's lock.</summary>
    public bool TrySplit(ulong hash, PageWord seen)
    {
        lock (_growth)
        {
            var tag = IndexEntry.TagOf(hash);
            var word = new PageWord(_window.ReadWord(PlaceOf(_directory, tag)));
            return word != seen || TrySplitNeedsLock(tag, word);
        }
    }

    /// <summary>Collects the keys of the bucket that a walk has reached, and moves the walk to the next
    /// bucket.</summary>
    public void Collect(RecordScan scan)
    {
        var bucket = Lock(((ulong)scan.Tag << IndexEntry.TagShift) | (uint)scan.Bucket);
        for (var distance = 0; distance <= bucket.Control.Reach; distance++)
        {
            var line = bucket.Page.LineOf(bucket.Home + distance);
            for (var at = line + WordBytes; at < line + IndexPage.BucketBytes; at += WordBytes)
            {
                var entry = EntryAt(at);
                if (entry.Word != 0 && entry.Distance == distance && scan.Takes(entry.Tag))
                    scan.Add(KeyOf(entry));
            }
        }

        UnlockUnchanged(bucket);
        scan.MoveOn(1UL << (IndexEntry.TagBits - bucket.Word.Depth));
    }

    private static long LineAround(long at) => at & ~(long)(IndexPage.BucketBytes - 1);

    private static int PlaceOf(long at) => (int)(at & (IndexPage.BucketBytes - 1)) / WordBytes;

    private ReadOnlySpan<byte> KeyOf(IndexEntry entry)
    {
        var offset = _space.OffsetOf(entry.Granule);
        return _space.Key(offset, _space.Header(offset));
    }

    /// <summary>Merges the first two neighbouring pages that are nearly empty, searched from a number of the directory
    /// on. Returns the number to continue from, or -1 when no such pair is left.</summary>
    public long MergeOne(long from)
    {
        lock (_growth)
        {
            for (var index = from; index < 1L << _directory.Depth; index++)
            {
                var word = PageAt(index);
                var entries = 1L << (_directory.Depth - word.Depth);
                var buddy = index + entries;
                var isLower = word.Depth > 0 && (index & ((2 * entries) - 1)) == 0;
                if (isLower && PageAt(buddy).Depth == word.Depth && TryMergeNeedsLock(index, word, PageAt(buddy)))
                    return index;
                index += entries - 1;
            }

            return -1;
        }
    }

    private PageWord PageAt(long index) => new(_window.ReadWord(_directory.Offset + (index * WordBytes)));

    // The upper page stays locked for ever: a thread that waits for one of its buckets reads the directory again.
    private bool TryMergeNeedsLock(long index, PageWord lower, PageWord upper)
    {
        var page = new IndexPage(_window, _space.BlockOffset(lower.Block));
        var other = new IndexPage(_window, _space.BlockOffset(upper.Block));
        if (page.Count() + other.Count() > EntriesMergedMax)
            return false;
        var tagBit = 1U << (IndexEntry.TagBits - lower.Depth);
        page.LockAll();
        other.LockAll();
        var isMerged = page.TryAbsorb(other, tagBit);
        var merged = new PageWord(lower.Block, lower.Depth - 1);
        if (isMerged)
            Publish(_directory, (uint)(index << _directory.Shift), tagBit << 1, merged);
        else
            other.UnlockAll();
        page.UnlockAll();
        if (!isMerged)
            return false;
        Volatile.Write(ref _pages, _pages - 1);
        _arena.Free(upper.Block);
        return true;
    }

    private static IndexDirectory? TryBegin(RecordSpace space, SlabArena arena)
    {
        var page = TryTake(space, arena, 1);
        if (page == 0)
            return null;
        var head = TryTake(space, arena, 1);
        if (head == 0)
        {
            arena.Free(page);
            return null;
        }

        var directory = new IndexDirectory(head, space.BlockOffset(head), depth: 0);
        space.Window.WriteWord(directory.Offset, new PageWord(page, 0).Word);
        return directory;
    }

    private bool TrySplitNeedsLock(uint tag, PageWord word)
    {
        if (word.Depth == IndexEntry.TagBits)
            return false;
        var block = TryTake(_space, _arena, 1);
        var directory = block != 0 && word.Depth == _directory.Depth ? TryDouble() : _directory;
        if (block == 0 || directory is null)
        {
            if (block != 0)
                _arena.Free(block);
            return false;
        }

        var tagBit = 1U << (IndexEntry.TagBits - 1 - word.Depth);
        var page = new IndexPage(_window, _space.BlockOffset(word.Block));
        var upper = new IndexPage(_window, _space.BlockOffset(block));
        page.LockAll();
        page.MoveTo(upper, tagBit);
        page.Gather();
        upper.Gather();
        var first = tag & ~((tagBit << 1) - 1);
        Publish(directory, first, tagBit, new PageWord(word.Block, word.Depth + 1));
        Publish(directory, first | tagBit, tagBit, new PageWord(block, word.Depth + 1));
        var old = _directory;
        Volatile.Write(ref _directory, directory);
        page.UnlockAll();
        Volatile.Write(ref _pages, _pages + 1);
        if (!ReferenceEquals(old, directory))
            _arena.Free(old.Head);
        return true;
    }

    // Sets all directory entries for these tags, from the first one on.
    private void Publish(IndexDirectory directory, uint tagFirst, uint tags, PageWord word)
    {
        var end = PlaceOf(directory, tagFirst) + Math.Max((long)tags >> directory.Shift, 1) * WordBytes;
        for (var at = PlaceOf(directory, tagFirst); at < end; at += WordBytes)
            _window.WriteWord(at, word.Word);
    }

    private IndexDirectory? TryDouble()
    {
        var depth = _directory.Depth + 1;
        var blocks = BlockLayout.BlocksFor((long)WordBytes << depth);
        var head = TryTake(_space, _arena, blocks);
        if (head == 0)
            return null;
        var doubled = new IndexDirectory(head, _space.BlockOffset(head), depth);
        for (long index = 0; index < 1L << _directory.Depth; index++)
        {
            var word = _window.ReadWord(_directory.Offset + (index * WordBytes));
            _window.WriteWord(doubled.Offset + (index * 2 * WordBytes), word);
            _window.WriteWord(doubled.Offset + (((index * 2) + 1) * WordBytes), word);
        }

        Volatile.Write(ref _directoryBlocks, blocks);
        return doubled;
    }

    private static long TryTake(RecordSpace space, SlabArena arena, long blocks)
    {
        var head = arena.TryCreateSegment(blocks, SizeClasses.PageIndex, firstWord: 0, out var freshFrom);
        for (var block = head; head != 0 && block < Math.Min(head + blocks, freshFrom); block++)
            space.Window.Clear(space.BlockOffset(block), BlockLayout.BlockBytes);
        return head;
    }
}
