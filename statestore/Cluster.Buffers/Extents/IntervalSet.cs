using Cluster.Buffers.Errors;

namespace Cluster.Buffers.Extents;

/// <summary>Disjoint intervals in ascending order, neighbours merged. Guarded by the lock of its owner. A list, because
/// it holds at most one entry for every two extents in use, and moving its tail costs less than a tree's
/// nodes.</summary>
internal sealed class IntervalSet
{
    private readonly List<Interval> _intervals = [];

    public int Count => _intervals.Count;

    public long TotalBytes { get; private set; }

    public Interval this[int index] => _intervals[index];

    /// <summary>Adds bytes that are not in the set.</summary>
    public void Add(Interval added)
    {
        BufferInvariant.Holds(added.Length > 0, "An interval has bytes.");
        var index = FirstEndingAfter(added.Start);
        var isApart = index == Count || _intervals[index].Start >= added.End;
        BufferInvariant.Holds(isApart, "Bytes are added to a set of intervals once.");
        TotalBytes += added.Length;
        if (index < Count && _intervals[index].Start == added.End)
        {
            added = added with { End = _intervals[index].End };
            _intervals.RemoveAt(index);
        }

        if (index > 0 && _intervals[index - 1].End == added.Start)
            _intervals[index - 1] = new Interval(_intervals[index - 1].Start, added.End);
        else
            _intervals.Insert(index, added);
    }

    /// <summary>Removes the parts of the set that lie within the range, and returns them.</summary>
    public Interval[] RemoveWithin(Interval range)
    {
        List<Interval>? removed = null;
        var index = FirstEndingAfter(range.Start);
        while (index < Count && _intervals[index].Start < range.End)
        {
            var found = _intervals[index];
            var cut = new Interval(Math.Max(found.Start, range.Start), Math.Min(found.End, range.End));
            (removed ??= []).Add(cut);
            TotalBytes -= cut.Length;
            _intervals.RemoveAt(index);
            if (found.Start < cut.Start)
                _intervals.Insert(index++, found with { End = cut.Start });
            if (cut.End < found.End)
                _intervals.Insert(index++, found with { Start = cut.End });
        }

        return removed?.ToArray() ?? [];
    }

    /// <summary>The first part of the range that is not in the set; empty when all of it is.</summary>
    public Interval FirstGap(Interval range)
    {
        var start = range.Start;
        for (var index = FirstEndingAfter(start); index < Count && _intervals[index].Start < range.End; index++)
        {
            if (_intervals[index].Start > start)
                return new Interval(start, _intervals[index].Start);
            start = _intervals[index].End;
        }

        return new Interval(Math.Min(start, range.End), range.End);
    }

    private int FirstEndingAfter(long position)
    {
        var (low, high) = (0, Count);
        while (low < high)
        {
            var middle = (low + high) / 2;
            if (_intervals[middle].End > position)
                high = middle;
            else
                low = middle + 1;
        }

        return low;
    }
}

/// <summary>Bytes from start up to, not including, end. An immutable value.</summary>
internal readonly record struct Interval(long Start, long End)
{
    public long Length => End - Start;
}
