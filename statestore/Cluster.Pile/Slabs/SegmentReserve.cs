using Cluster.Pile.Layout;
using Cluster.Pile.Memory;

namespace Cluster.Pile.Slabs;

/// <summary>Prepares memory ahead of use and gives unused memory back, on one background thread per pile that starts
/// with the first work. Owned by its pile. The thread shares only single words with others, read and written
/// atomically.</summary>
internal sealed class SegmentReserve : IDisposable
{
    // Memory is prepared only after the last of the starter segments is in use.
    private const long UnpreparedBlocks = (SegmentMap.StarterSegments - 1) * BlockLayout.BlocksPerSegment;

    private const long ReserveSegmentsGrowing = PileOptions.DefaultReserveBytes / BlockLayout.SegmentBytes;
    private const int InUsePerReadySegment = 8;

    private readonly SlabArena _arena;
    private readonly long _reserveSegments;
    private readonly Lock _gate = new();
    private readonly AutoResetEvent _wake = new(initialState: false);
    private Thread? _thread;
    private bool _stopping;

    public SegmentReserve(NativeRange range, BlockLayout layout, SlabArena arena, long reserveBytes)
    {
        _arena = arena;
        _reserveSegments = reserveBytes / BlockLayout.SegmentBytes;
        var starterBytes = SegmentMap.StarterSegments * BlockLayout.SegmentBytes;
        var border = Math.Min(layout.BlocksOffset + starterBytes, layout.RangeBytes);
        range.AdviseSmallPages(0, border);
        range.AdviseHugePages(border, layout.RangeBytes - border);
    }

    // Prepared in one go once less than half is left, so that not every slab wakes the thread.
    private bool IsShort =>
        _arena.ReadySegments <= Target / 2 && _arena.ReadySegments < Target
            && _arena.AbsentSegments > 0 && _arena.Frontier > UnpreparedBlocks;

    // In a small pile the whole reserve would be most of its memory.
    private long Target =>
        _reserveSegments > ReserveSegmentsGrowing
            ? _reserveSegments
            : Math.Min(_reserveSegments, _arena.SegmentsInUse / InUsePerReadySegment);

    /// <summary>Starts or wakes the thread when there is memory to prepare or to give back.</summary>
    public void Check()
    {
        if (!IsShort && _arena.ReadySegments <= _reserveSegments)
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

        _arena.Close();
        _wake.Set();
        _thread?.Join();
        _wake.Dispose();
    }

    /// <summary>Gives back the ready memory beyond the reserve; returns the bytes.</summary>
    public long GiveBack()
    {
        long bytes = 0;
        while (_arena.GiveBack(_reserveSegments) is var given and > 0)
            bytes += given;
        return bytes;
    }

    private void Work()
    {
        while (!Volatile.Read(ref _stopping))
        {
            if (IsShort)
                PrepareAhead();
            GiveBack();
            _wake.WaitOne();
        }
    }

    private void PrepareAhead()
    {
        while (!Volatile.Read(ref _stopping) && _arena.ReadySegments < Target && _arena.TryPrepare())
        {
            // One segment after the other, in separate steps.
        }
    }
}
