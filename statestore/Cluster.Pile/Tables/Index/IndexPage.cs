using System.Runtime.Intrinsics;
using Cluster.Pile.Layout;
using Cluster.Pile.Memory;

namespace Cluster.Pile.Tables.Index;

/// <summary>One page of an index: 1,024 buckets, each a cache line of a control word and seven entries. An entry
/// belongs to the bucket that its hash names and lies there or up to 15 buckets behind. An immutable value that says
/// where the page is; the locks of the buckets protect the stored entries.</summary>
/// <remarks>The holder of a bucket's lock changes the entries that belong to the bucket, wherever they lie. It takes a
/// free place in another bucket under the lock of that bucket too; it only tries to take this second lock, so threads
/// never wait in a circle.</remarks>
internal readonly struct IndexPage(NativeWindow window, long offset)
{
    public const int BucketBytes = 64;
    public const int Buckets = BlockLayout.BlockBytes / BucketBytes;
    public const int BucketMask = Buckets - 1;
    public const int EntriesPerBucket = (BucketBytes / WordBytes) - 1;
    public const int WordBytes = 8;

    /// <summary>The highest count of reads.</summary>
    public const int FrequencyMax = (1 << FrequencyBits) - 1;

    private const int FrequencyBits = 2;

    // A bit for each word of a line except the control word.
    private const uint EntryLanes = 0xFE;

    private readonly NativeWindow _window = window;
    private readonly long _offset = offset;

    /// <summary>The bucket to which keys with this hash belong.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int HomeOf(ulong hash) => (int)hash & BucketMask;

    /// <summary>The offset of a bucket of a page; bucket numbers wrap around.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long LineIn(long page, int bucket) => page + ((long)(bucket & BucketMask) * BucketBytes);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long LineOf(int bucket) => LineIn(_offset, bucket);

    /// <summary>Counts a read of the entry at a word of a bucket, up to three. Uses plain loads and stores: a lost
    /// count does no harm, and the count of a popular entry is soon three, after which nothing is stored.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void CountRead(NativeWindow window, long line, int place)
    {
        var counts = window.ReadUpperHalf(line);
        if (((counts >> (place * FrequencyBits)) & FrequencyMax) != FrequencyMax)
            window.WriteUpperHalf(line, counts + (1U << (place * FrequencyBits)));
    }

    /// <summary>How often the entry at a word of a bucket was read, at most three.</summary>
    public static int Reads(NativeWindow window, long line, int place) =>
        (int)(window.ReadUpperHalf(line) >> (place * FrequencyBits)) & FrequencyMax;

    public static void SetReads(NativeWindow window, long line, int place, int reads)
    {
        var others = window.ReadUpperHalf(line) & ~((uint)FrequencyMax << (place * FrequencyBits));
        window.WriteUpperHalf(line, others | ((uint)reads << (place * FrequencyBits)));
    }

    /// <summary>Returns a bit for each word of a bucket that has the sought tag and distance.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint Matches(NativeWindow window, long line, ulong sought) =>
        Matches(window.ReadLine(line), sought);

    /// <summary>The same for a bucket that was loaded into a register.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint Matches(Vector512<ulong> words, ulong sought)
    {
        var found = words & Vector512.Create(IndexEntry.SoughtMask);
        return (uint)Vector512.Equals(found, Vector512.Create(sought)).ExtractMostSignificantBits() & EntryLanes;
    }

    /// <summary>Puts an entry into a free place, in its own bucket or behind it. False: no place is free.
    /// <paramref name="control"/> is the control of the entry's own bucket, whose lock the caller holds; the caller
    /// stores it when it unlocks.</summary>
    public bool TryPlace(int home, IndexEntry entry, ref BucketControl control)
    {
        for (var distance = 0; distance <= IndexEntry.DistanceMax; distance++)
        {
            var line = LineOf(home + distance);
            if (distance > 0 && !TryLock(line))
                continue;
            var free = FreePlaces(line);
            if (free != 0)
                Store(line, free, entry.AtDistance(distance));
            if (distance > 0)
                Unlock(line);
            if (free == 0)
                continue;
            control = distance > 0 ? control.WithStray(distance) : control;
            return true;
        }

        return false;
    }

    public void LockAll()
    {
        for (var bucket = 0; bucket < Buckets; bucket++)
        {
            var spin = default(SpinWait);
            while (!TryLock(LineOf(bucket)))
                spin.SpinOnce(sleep1Threshold: -1);
        }
    }

    /// <summary>Unlocks all buckets at a new version, so that a reader that looked at one meanwhile reads
    /// again.</summary>
    public void UnlockAll()
    {
        for (var bucket = 0; bucket < Buckets; bucket++)
            _window.WriteHalf(LineOf(bucket), Control(bucket).Changed().Half);
    }

    /// <summary>Moves all entries whose tag has this bit to the same places of an empty page. The caller holds all
    /// locks.</summary>
    public void MoveTo(IndexPage target, uint tagBit)
    {
        for (var bucket = 0; bucket < Buckets; bucket++)
        {
            var line = LineOf(bucket);
            _window.WriteUpperHalf(target.LineOf(bucket), _window.ReadUpperHalf(line));
            for (var at = line + WordBytes; at < line + BucketBytes; at += WordBytes)
            {
                var entry = new IndexEntry(_window.ReadWord(at));
                if (entry.Word == 0 || (entry.Tag & tagBit) == 0)
                    continue;
                _window.WriteWord(target._offset + (at - _offset), entry.Word);
                _window.WriteWord(at, 0);
            }
        }
    }

    public int Count()
    {
        var count = 0;
        for (var bucket = 0; bucket < Buckets; bucket++)
            count += EntriesPerBucket - BitOperations.PopCount(FreePlaces(LineOf(bucket)));
        return count;
    }

    /// <summary>Copies all entries of another page into this one. False: an entry found no place, and nothing is
    /// changed. The caller holds all locks of both pages. The entries of the other page have this bit of the tag set;
    /// the entries here do not.</summary>
    public bool TryAbsorb(IndexPage other, uint tagBit)
    {
        for (var bucket = 0; bucket < Buckets; bucket++)
        {
            var line = other.LineOf(bucket);
            for (var at = line + WordBytes; at < line + BucketBytes; at += WordBytes)
            {
                var entry = new IndexEntry(_window.ReadWord(at));
                if (entry.Word == 0 || TryPlaceLocked((bucket - entry.Distance) & BucketMask, entry))
                    continue;
                RemoveAll(tagBit);
                return false;
            }
        }

        return true;
    }

    /// <summary>Moves entries nearer to their buckets where places are free now, and counts the strays again. The
    /// caller holds all locks, or no other thread knows the page.</summary>
    public void Gather()
    {
        for (var bucket = 0; bucket < Buckets; bucket++)
            SetControl(bucket, Control(bucket).WithoutStrays());
        for (var bucket = 0; bucket < Buckets; bucket++)
        {
            var line = LineOf(bucket);
            for (var at = line + WordBytes; at < line + BucketBytes; at += WordBytes)
                Gather(bucket, at);
        }
    }

    private bool TryPlaceLocked(int home, IndexEntry entry)
    {
        for (var distance = 0; distance <= IndexEntry.DistanceMax; distance++)
        {
            var line = LineOf(home + distance);
            var free = FreePlaces(line);
            if (free == 0)
                continue;
            Store(line, free, entry.AtDistance(distance));
            if (distance > 0)
                SetControl(home, Control(home).WithStray(distance));
            return true;
        }

        return false;
    }

    private void RemoveAll(uint tagBit)
    {
        for (var bucket = 0; bucket < Buckets; bucket++)
        {
            var line = LineOf(bucket);
            for (var at = line + WordBytes; at < line + BucketBytes; at += WordBytes)
            {
                if ((new IndexEntry(_window.ReadWord(at)).Tag & tagBit) != 0)
                    _window.WriteWord(at, 0);
            }
        }

        Gather();
    }

    private void Store(long line, uint free, IndexEntry entry)
    {
        SetReads(_window, line, BitOperations.TrailingZeroCount(free), 0);
        _window.WriteWord(PlaceIn(line, free), entry.Word);
    }

    private void Gather(int bucket, long at)
    {
        var entry = new IndexEntry(_window.ReadWord(at));
        if (entry.Distance == 0)
            return;
        var home = (bucket - entry.Distance) & BucketMask;
        for (var distance = 0; distance < entry.Distance; distance++)
        {
            var line = LineOf(home + distance);
            var free = FreePlaces(line);
            if (free == 0)
                continue;
            _window.WriteWord(at, 0);
            entry = entry.AtDistance(distance);
            Store(line, free, entry);
            break;
        }

        if (entry.Distance > 0)
            SetControl(home, Control(home).WithStray(entry.Distance));
    }

    private BucketControl Control(int bucket) => new(_window.ReadHalf(LineOf(bucket)));

    private void SetControl(int bucket, BucketControl control) => _window.WriteHalf(LineOf(bucket), control.Half);

    private static long PlaceIn(long line, uint places) => line + (BitOperations.TrailingZeroCount(places) * WordBytes);

    private uint FreePlaces(long line) =>
        (uint)Vector512.Equals(_window.ReadLine(line), Vector512<ulong>.Zero).ExtractMostSignificantBits()
            & EntryLanes;

    private bool TryLock(long line)
    {
        var half = _window.ReadHalf(line);
        return (half & BucketControl.Locked) == 0
            && _window.TryExchangeHalf(line, half, half | BucketControl.Locked);
    }

    private void Unlock(long line) =>
        _window.WriteHalf(line, new BucketControl(_window.ReadHalf(line)).Unlocked().Half);
}
