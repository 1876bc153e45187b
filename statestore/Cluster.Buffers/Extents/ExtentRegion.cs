using Cluster.Pile.Hosting;

namespace Cluster.Buffers.Extents;

/// <summary>One address range that is cut into extents at the lowest place that fits, so that used memory stays dense
/// and memory that was freed last is used next. Guarded by the lock of its owner.</summary>
internal sealed class ExtentRegion
{
    private readonly IntervalSet _free = new();
    private readonly IntervalSet _dirty = new();
    private long _committedBytes;

    public ExtentRegion(AddressRange range)
    {
        Range = range;
        _free.Add(new Interval(0, range.Length));
    }

    public AddressRange Range { get; }

    /// <summary>Free bytes that may be resident and not zero: the reserve.</summary>
    public long DirtyBytes => _dirty.TotalBytes;

    public bool Contains(nint address) => address >= Range.Address && address - Range.Address < Range.Length;

    /// <summary>False: there is no such place, or the system gives no memory there.</summary>
    public bool TryTake(long bytes, long alignment, out Extent extent)
    {
        extent = default;
        for (var index = 0; index < _free.Count; index++)
        {
            var start = (_free[index].Start + alignment - 1) / alignment * alignment;
            if (_free[index].End - start < bytes)
                continue;
            if (!TryCommit(start + bytes))
                return false;
            var taken = new Interval(start, start + bytes);
            _free.RemoveWithin(taken);
            var dirty = _dirty.RemoveWithin(taken);
            for (var i = 0; i < dirty.Length; i++)
                dirty[i] = new Interval(dirty[i].Start - start, dirty[i].End - start);
            extent = new Extent(Range.Address + (nint)start, bytes, dirty);
            return true;
        }

        return false;
    }

    public void Return(nint address, long bytes)
    {
        var start = (long)(address - Range.Address);
        var returned = new Interval(start, start + bytes);
        _free.Add(returned);
        _dirty.Add(returned);
    }

    /// <summary>Takes the highest free bytes that may be resident, at most the given number, to be discarded; empty
    /// when there are none.</summary>
    public Interval TakeDirty(long bytesMax)
    {
        if (_dirty.Count == 0)
            return default;
        var highest = _dirty[_dirty.Count - 1];
        return TakeOut(highest with { Start = Math.Max(highest.Start, highest.End - bytesMax) });
    }

    /// <summary>Takes the lowest free bytes that are not resident, at most the given number, to be populated; empty
    /// when there are none.</summary>
    public Interval TakeFresh(long bytesMax)
    {
        for (var index = 0; index < _free.Count; index++)
        {
            var gap = _dirty.FirstGap(_free[index]);
            var end = Math.Min(gap.End, gap.Start + bytesMax);
            if (gap.Length > 0)
                return TryCommit(end) ? TakeOut(gap with { End = end }) : default;
        }

        return default;
    }

    /// <summary>Puts back a part that is now not resident and reads as zero.</summary>
    public void ReturnFresh(Interval part) => _free.Add(part);

    /// <summary>Puts back a part that is now resident.</summary>
    public void ReturnDirty(Interval part)
    {
        _free.Add(part);
        _dirty.Add(part);
    }

    // From the start without gaps, so that all of it can be discarded at once.
    private bool TryCommit(long end)
    {
        if (end <= _committedBytes)
            return true;
        if (!Range.TryCommit(_committedBytes, end - _committedBytes))
            return false;
        _committedBytes = end;
        return true;
    }

    private Interval TakeOut(Interval part)
    {
        _free.RemoveWithin(part);
        _dirty.RemoveWithin(part);
        return part;
    }
}
