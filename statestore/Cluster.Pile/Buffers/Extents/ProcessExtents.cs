using Cluster.Pile.Memory;

namespace Cluster.Pile.Buffers.Extents;

/// <summary>
/// Extents of the process-wide budget: large and other ones each out of reserved address ranges of their own, so that
/// a small buffer never lies in the way of a large one. Freed memory stays resident up to a limit; what is above goes
/// back to the system in the background. Guarded by its lock, which is held for bookkeeping only.
/// </summary>
internal sealed class ProcessExtents : IExtentSource, IThreadPoolWorkItem
{
    /// <summary>Extents from this size on are multiples of a huge page and lie apart from smaller ones.</summary>
    public const long LargeBytesMin = 16L << 20;

    public const long PageBytes = 4096;

    // Discarded in pieces, so that memory is not missing from the reserve for long.
    private const long PieceBytes = 64L << 20;

    // Addresses cost nothing, and with some to spare a budget is not cut into holes that fit nothing.
    private const int AddressFactor = 4;
    private const int AddressFactorMax = 16;
    private const long PortableRegionBytes = 64L << 20;
    private const long SmallPagesBytes = 16L << 20;

    private readonly string _name;
    private readonly INativeMemorySource _source;
    private readonly Lock _gate = new();
    private readonly List<ExtentRegion> _large = [];
    private readonly List<ExtentRegion> _other = [];
    private long _capBytes;
    private long _reserveBytes;
    private long _takenBytes;
    private long _addressBytes;
    private bool _givesBack;

    public ProcessExtents(string name, INativeMemorySource source, long capBytes, long reserveBytes)
    {
        _name = name;
        _source = source;
        _capBytes = capBytes;
        _reserveBytes = reserveBytes;
    }

    public long TakenBytes => Volatile.Read(ref _takenBytes);

    /// <summary>Bytes that no extent takes and that stay resident for the next one.</summary>
    public long DirtyBytes
    {
        get
        {
            lock (_gate)
                return DirtyNeedsLock();
        }
    }

    public long CapBytes
    {
        get => Volatile.Read(ref _capBytes);
        set
        {
            lock (_gate)
            {
                Volatile.Write(ref _capBytes, value);
                FitReserveNeedsLock();
            }
        }
    }

    public long ReserveBytes
    {
        get => Volatile.Read(ref _reserveBytes);
        set
        {
            Volatile.Write(ref _reserveBytes, value);
            GiveBackSoon();
        }
    }

    public Extent Take(long bytes, long alignment)
    {
        var isLarge = bytes >= LargeBytesMin;
        var rounded = Rounded(bytes);
        if (isLarge)
            alignment = BlockLayout.SegmentBytes;
        lock (_gate)
        {
            if (rounded > _capBytes - _takenBytes)
                throw Full(bytes);
            var regions = isLarge ? _large : _other;
            foreach (var region in regions)
            {
                if (region.TryTake(rounded, alignment, out var found))
                    return AccountNeedsLock(found);
            }

            var added = AddRegionNeedsLock(regions, rounded, bytes);
            if (!added.TryTake(rounded, alignment, out var extent))
                throw Full(bytes);
            return AccountNeedsLock(extent);
        }
    }

    public void Return(nint address, long bytes)
    {
        var isLarge = bytes >= LargeBytesMin;
        lock (_gate)
        {
            var region = (isLarge ? _large : _other).Find(region => region.Contains(address));
            Invariant.Holds(region is not null, "An extent lies in a region of its size.");
            region.Return(address, Rounded(bytes));
            Volatile.Write(ref _takenBytes, _takenBytes - Rounded(bytes));
        }

        GiveBackSoon();
    }

    /// <summary>Makes memory resident until the reserve holds so much; less when the cap allows no more.</summary>
    public void Prepare(long bytes)
    {
        while (true)
        {
            ExtentRegion region;
            Interval part;
            lock (_gate)
            {
                var missing = Math.Min(bytes, _capBytes - _takenBytes) - DirtyNeedsLock();
                if (missing <= 0)
                    return;
                if (_large.Count == 0)
                    AddRegionNeedsLock(_large, BlockLayout.SegmentBytes, BlockLayout.SegmentBytes);
                region = _large[0];
                part = region.TakeFresh(Math.Min(PieceBytes, RoundUp(missing, BlockLayout.SegmentBytes)));
            }

            if (part.Length == 0)
                return;
            var isReady = region.Range.TryPrepare(part.Start, part.Length);
            Invariant.Holds(isReady, "Committed memory can be prepared.");
            lock (_gate)
                region.ReturnDirty(part);
        }
    }

    /// <summary>Gives back what the reserve holds beyond its limit.</summary>
    public void GiveBack()
    {
        while (true)
        {
            ExtentRegion? region;
            Interval part;
            lock (_gate)
            {
                var excess = DirtyNeedsLock() - _reserveBytes;
                region = excess <= 0 ? null : HighestDirtyNeedsLock();
                if (region is null)
                {
                    _givesBack = false;
                    return;
                }

                part = region.TakeDirty(Math.Min(PieceBytes, RoundUp(excess, PageBytes)));
            }

            region.Range.Discard(part.Start, part.Length);
            lock (_gate)
                region.ReturnFresh(part);
        }
    }

    void IThreadPoolWorkItem.Execute() => GiveBack();

    /// <summary>Hands the ranges on to others; no extent may be in use.</summary>
    public void Close()
    {
        lock (_gate)
        {
            foreach (var region in (IEnumerable<ExtentRegion>)[.. _large, .. _other])
                NativeRangePool.Return(region.Range);
            _large.Clear();
            _other.Clear();
        }
    }

    private static long Rounded(long bytes)
        => RoundUp(bytes, bytes >= LargeBytesMin ? BlockLayout.SegmentBytes : PageBytes);

    private static long RoundUp(long bytes, long unit) => (bytes + unit - 1) / unit * unit;

    private Extent AccountNeedsLock(Extent extent)
    {
        Volatile.Write(ref _takenBytes, _takenBytes + extent.Bytes);
        FitReserveNeedsLock();
        return extent;
    }

    // The cap is over the reserve as well; near it, giving back cannot wait for the background.
    private void FitReserveNeedsLock()
    {
        while (_takenBytes + DirtyNeedsLock() > _capBytes && HighestDirtyNeedsLock() is { } region)
        {
            var part = region.TakeDirty(RoundUp(_takenBytes + DirtyNeedsLock() - _capBytes, PageBytes));
            region.Range.Discard(part.Start, part.Length);
            region.ReturnFresh(part);
        }
    }

    private void GiveBackSoon()
    {
        lock (_gate)
        {
            if (_givesBack || DirtyNeedsLock() <= _reserveBytes)
                return;
            _givesBack = true;
        }

        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    private ExtentRegion? HighestDirtyNeedsLock()
        => _large.FindLast(region => region.DirtyBytes > 0) ?? _other.FindLast(region => region.DirtyBytes > 0);

    private long DirtyNeedsLock()
    {
        long bytes = 0;
        foreach (var region in _large)
            bytes += region.DirtyBytes;
        foreach (var region in _other)
            bytes += region.DirtyBytes;
        return bytes;
    }

    private ExtentRegion AddRegionNeedsLock(List<ExtentRegion> regions, long rounded, long bytes)
    {
        var limit = _source.ReservesFreely ? AddressFactorMax * _capBytes : _capBytes;
        var spare = _source.ReservesFreely ? AddressFactor * Math.Max(_capBytes, rounded) : PortableRegionBytes;
        var room = limit - _addressBytes;
        if (room < rounded)
            throw Full(bytes);
        for (var wanted = Math.Min(room, Math.Max(spare, rounded)); ; wanted = Math.Max(rounded, wanted / 2))
        {
            if (!NativeRangePool.TryRent(_source, RoundUp(wanted, BlockLayout.SegmentBytes), out var range))
            {
                if (wanted == rounded)
                    throw Full(bytes);
                continue;
            }

            // A process with a few small buffers shall not pay for huge pages.
            var smallPages = regions == _other ? Math.Min(SmallPagesBytes, range.Length) : 0;
            range.AdviseSmallPages(0, smallPages);
            range.AdviseHugePages(smallPages, range.Length - smallPages);
            var region = new ExtentRegion(range);
            regions.Add(region);
            _addressBytes += range.Length;
            return region;
        }
    }

    private PileFullException Full(long bytes)
        => new(_name, (_capBytes, _takenBytes), bytes);
}
