using Cluster.Buffers.Errors;
using Cluster.Pile;
using Cluster.Pile.Hosting;

namespace Cluster.Buffers.Extents;

/// <summary>Extents of the process-wide budget. Large extents and others have separate address ranges, so that a small
/// buffer never blocks the place of a large one. Freed memory stays resident up to a limit; the rest is given back to
/// the system in the background. Guarded by its lock, which is held for bookkeeping only.</summary>
internal sealed class ProcessExtents(string name, SystemMemory memory, long capBytes, long reserveBytes)
    : IExtentSource, IThreadPoolWorkItem
{
    /// <summary>Extents of at least this size are multiples of a huge page and lie apart from smaller ones.</summary>
    public const long LargeBytesMin = 16L << 20;

    public const long PageBytes = 4096;

    private const long HugePageBytes = 2L << 20;

    // Discarded in pieces, so that the reserve misses memory only for a short time.
    private const long PieceBytes = 64L << 20;

    // Addresses cost nothing, and spare addresses keep a budget from being cut into holes that fit nothing.
    private const int AddressFactor = 4;
    private const int AddressFactorMax = 16;
    private const long SmallPagesBytes = 16L << 20;

    private readonly string _name = name;
    private readonly SystemMemory _memory = memory;
    private readonly Lock _gate = new();

    // Held while memory is prepared or discarded, outside of the other lock.
    private readonly Lock _memoryGate = new();
    private readonly List<ExtentRegion> _large = [];
    private readonly List<ExtentRegion> _other = [];
    private long _capBytes = capBytes;
    private long _reserveBytes = reserveBytes;
    private long _takenBytes;
    private long _addressBytes;
    private bool _givesBack;

    public long TakenBytes => Volatile.Read(ref _takenBytes);

    /// <summary>The addresses, for tests that ask the system about them.</summary>
    public IReadOnlyList<AddressRange> Ranges
    {
        get
        {
            lock (_gate)
                return [.. _large.Concat(_other).Select(region => region.Range)];
        }
    }

    /// <summary>The bytes that no extent uses and that stay resident for the next one.</summary>
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
        if (bytes >= LargeBytesMin)
            alignment = HugePageBytes;
        if (TryTake(bytes, alignment, addsRegion: false, out var extent))
            return extent;

        // Memory that is just being given back or prepared is not free for a moment. That is no reason to report a full
        // budget.
        lock (_memoryGate)
        {
            if (TryTake(bytes, alignment, addsRegion: true, out extent))
                return extent;
        }

        throw Full(bytes);
    }

    public void Return(nint address, long bytes)
    {
        var isLarge = bytes >= LargeBytesMin;
        lock (_gate)
        {
            var region = RegionsFor(isLarge).Find(region => region.Contains(address));
            BufferInvariant.Holds(region is not null, "An extent lies in a region of its size.");
            region.Return(address, Rounded(bytes));
            Volatile.Write(ref _takenBytes, _takenBytes - Rounded(bytes));
        }

        GiveBackSoon();
    }

    /// <summary>Makes memory resident until the reserve holds this much; less when the cap allows no more.</summary>
    public void Prepare(long bytes)
    {
        while (TryPreparePiece(bytes))
        {
            // One piece after the other, in separate steps.
        }
    }

    /// <summary>Gives back the memory of the reserve beyond its limit.</summary>
    public void GiveBack()
    {
        while (TryGiveBackPiece())
        {
            // One piece after the other, in separate steps.
        }
    }

    void IThreadPoolWorkItem.Execute() => GiveBack();

    /// <summary>Releases the ranges; no extent may be in use.</summary>
    public void Close()
    {
        lock (_gate)
        {
            foreach (var region in (IEnumerable<ExtentRegion>)[.. _large, .. _other])
                region.Range.Return();
            _large.Clear();
            _other.Clear();
        }
    }

    private static long Rounded(long bytes) =>
        RoundUp(bytes, bytes >= LargeBytesMin ? HugePageBytes : PageBytes);

    private static long RoundUp(long bytes, long unit) => (bytes + unit - 1) / unit * unit;

    private bool TryTake(long bytes, long alignment, bool addsRegion, out Extent extent)
    {
        var rounded = Rounded(bytes);
        var regions = RegionsFor(bytes >= LargeBytesMin);
        lock (_gate)
        {
            if (rounded > _capBytes - _takenBytes)
                throw Full(bytes);
            var isFound = TryTakeNeedsLock(regions, rounded, alignment, out extent);
            if (!isFound && addsRegion && TryAddRegionNeedsLock(regions, rounded))
                isFound = regions[^1].TryTake(rounded, alignment, out extent);
            if (isFound)
            {
                Volatile.Write(ref _takenBytes, _takenBytes + extent.Bytes);
                FitReserveNeedsLock();
            }

            return isFound;
        }
    }

    private bool TryPreparePiece(long bytes)
    {
        lock (_memoryGate)
        {
            ExtentRegion region;
            Interval part;
            lock (_gate)
            {
                var missing = Math.Min(bytes, _capBytes - _takenBytes) - DirtyNeedsLock();
                var regions = RegionsFor(isLarge: true);
                if (missing <= 0 || (regions.Count == 0 && !TryAddRegionNeedsLock(regions, HugePageBytes)))
                    return false;
                region = regions[0];
                part = region.TakeFresh(Math.Min(PieceBytes, RoundUp(missing, HugePageBytes)));
            }

            if (part.Length == 0)
                return false;
            var isReady = region.Range.TryPrepare(part.Start, part.Length);
            BufferInvariant.Holds(isReady, "Committed memory can be prepared.");
            lock (_gate)
                region.ReturnDirty(part);
            return true;
        }
    }

    private bool TryGiveBackPiece()
    {
        lock (_memoryGate)
        {
            ExtentRegion? region;
            Interval part;
            lock (_gate)
            {
                var excess = DirtyNeedsLock() - _reserveBytes;
                region = excess <= 0 ? null : HighestDirtyNeedsLock();
                _givesBack = region is not null;
                if (region is null)
                    return false;
                part = region.TakeDirty(Math.Min(PieceBytes, RoundUp(excess, PageBytes)));
            }

            region.Range.Discard(part.Start, part.Length);
            lock (_gate)
                region.ReturnFresh(part);
            return true;
        }
    }

    // The cap includes the reserve. Near the cap, giving back cannot wait for the background.
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

    private ExtentRegion? HighestDirtyNeedsLock() =>
        _large.FindLast(region => region.DirtyBytes > 0) ?? _other.FindLast(region => region.DirtyBytes > 0);

    private long DirtyNeedsLock()
    {
        long bytes = 0;
        foreach (var region in _large)
            bytes += region.DirtyBytes;
        foreach (var region in _other)
            bytes += region.DirtyBytes;
        return bytes;
    }

    private static bool TryTakeNeedsLock(List<ExtentRegion> regions, long rounded, long alignment, out Extent extent)
    {
        extent = default;
        foreach (var region in regions)
        {
            if (region.TryTake(rounded, alignment, out extent))
                return true;
        }

        return false;
    }

    private bool TryAddRegionNeedsLock(List<ExtentRegion> regions, long rounded)
    {
        var limit = _memory.ReservesFreely ? AddressFactorMax * _capBytes : _capBytes;
        var room = limit - _addressBytes;
        if (room < rounded)
            return false;
        var wanted = Math.Min(room, Math.Max(SpareAddresses(Math.Max(_capBytes, rounded)), rounded));
        AddressRange? range;
        while (!_memory.TryRent(RoundUp(wanted, HugePageBytes), out range))
        {
            if (wanted == rounded)
                return false;
            wanted = Math.Max(rounded, wanted / 2);
        }

        // A process with a few small buffers must not pay for huge pages.
        var smallPages = regions == _other ? Math.Min(SmallPagesBytes, range.Length) : 0;
        range.AdviseSmallPages(0, smallPages);
        range.AdviseHugePages(smallPages, range.Length - smallPages);
        regions.Add(new ExtentRegion(range));
        _addressBytes += range.Length;
        return true;
    }

    // Under a limit on addresses, other code of the process needs some, too.
    private long SpareAddresses(long bytes) =>
        _memory.ReservesFreely
            ? Math.Min(
                AddressFactor * bytes, (SystemMemory.AddressSpaceLimit()?.Bytes ?? long.MaxValue) / AddressFactor)
            : bytes;

    // Where addresses are not free, large and other extents share the ranges.
    private List<ExtentRegion> RegionsFor(bool isLarge) => isLarge && _memory.ReservesFreely ? _large : _other;

    private PileFullException Full(long bytes) =>
        new($"The budget \"{_name}\" is full: {bytes:N0} contiguous bytes are needed, and of {_capBytes:N0} bytes "
            + $"{_takenBytes:N0} are taken. Free buffers or raise BufferBudget.CapBytes.", _capBytes, bytes);
}
