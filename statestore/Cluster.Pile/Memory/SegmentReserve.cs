using Cluster.Pile.Slabs;

namespace Cluster.Pile.Memory;

/// <summary>
/// Keeps memory ready ahead of use and gives back what stays unused, on one background thread per pile that
/// starts with the first work. Owned by its pile; what the thread shares with others are single words, read and
/// written atomically.
/// </summary>
internal sealed class SegmentReserve : IDisposable
{
    /// <summary>Segments at the start with small pages, prepared by nobody, so that a small pile stays small.</summary>
    public const int StarterSegments = 8;

    private const int PageBytes = 4096;

    private readonly NativeRange _range;
    private readonly BlockLayout _layout;
    private readonly SlabArena _arena;
    private readonly long _reserveSegments;
    private readonly Lock _gate = new();
    private readonly AutoResetEvent _wake = new(initialState: false);
    private Thread? _thread;
    private long _preparedSegments = StarterSegments;
    private bool _stopping;

    public SegmentReserve(NativeRange range, BlockLayout layout, SlabArena arena, long reserveBytes)
    {
        _range = range;
        _layout = layout;
        _arena = arena;
        _reserveSegments = reserveBytes / BlockLayout.SegmentBytes;
        var border = Math.Min(SegmentOffset(StarterSegments), layout.RangeBytes);
        range.AdviseSmallPages(0, border);
        range.AdviseHugePages(border, layout.RangeBytes - border);
    }

    /// <summary>Blocks below this number are resident, whether they were ever used or not.</summary>
    public long PreparedBlocks
    {
        get
        {
            var segments = Volatile.Read(ref _preparedSegments);
            return segments == StarterSegments ? 0 : segments * BlockLayout.BlocksPerSegment;
        }
    }

    /// <summary>Starts or wakes the thread when there is something to prepare or to give back.</summary>
    public void Check()
    {
        if (PreparedTarget() <= Volatile.Read(ref _preparedSegments) && _arena.IdleSegments <= _reserveSegments)
            return;
        lock (_gate)
        {
            if (_stopping)
                return;
            if (_thread is null)
            {
                _thread = new Thread(Work) { IsBackground = true, Name = "pile reserve" };
                _thread.Start();
            }

            _wake.Set();
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            if (_stopping)
                return;
            Volatile.Write(ref _stopping, true);
        }

        _wake.Set();
        _thread?.Join();
        _wake.Dispose();
    }

    private void Work()
    {
        while (!Volatile.Read(ref _stopping))
        {
            PrepareAhead();
            GiveBack();
            _wake.WaitOne();
        }
    }

    // Prepared in one go once less than half the reserve is left, so that the thread is not woken by every slab.
    private long PreparedTarget()
    {
        var used = (_arena.Frontier + BlockLayout.BlocksPerSegment - 1) / BlockLayout.BlocksPerSegment;
        var prepared = Volatile.Read(ref _preparedSegments);
        if (used < StarterSegments || prepared - used > _reserveSegments / 2)
            return prepared;
        return Math.Min(used + _reserveSegments, _layout.BlockCount / BlockLayout.BlocksPerSegment);
    }

    private void PrepareAhead()
    {
        for (var target = PreparedTarget(); _preparedSegments < target && !Volatile.Read(ref _stopping);)
        {
            var offset = SegmentOffset(_preparedSegments);
            if (!_range.TryPopulate(offset, BlockLayout.SegmentBytes))
                Touch(offset);
            Volatile.Write(ref _preparedSegments, _preparedSegments + 1);
        }
    }

    private void Touch(long offset)
    {
        var window = _range.OpenWindow();
        for (long page = 0; page < BlockLayout.SegmentBytes; page += PageBytes)
            window.Touch(offset + page);
    }

    // From the top, because slabs are made at the bottom.
    private void GiveBack()
    {
        var segment = _arena.Frontier / BlockLayout.BlocksPerSegment;
        for (; segment >= StarterSegments && _arena.IdleSegments > _reserveSegments; segment--)
        {
            if (Volatile.Read(ref _stopping) || !_arena.TryTakeSegment(segment))
                continue;
            _range.Discard(SegmentOffset(segment), BlockLayout.SegmentBytes);
            _arena.ReturnDiscarded(segment);
        }
    }

    private long SegmentOffset(long segment) => _layout.BlocksOffset + (segment * BlockLayout.SegmentBytes);
}
