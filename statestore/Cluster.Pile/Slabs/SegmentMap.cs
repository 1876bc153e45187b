using Cluster.Pile.Layout;

namespace Cluster.Pile.Slabs;

/// <summary>The segments with memory, and those that are wholly vacant, so that memory is prepared and given back
/// without a search through blocks. Guarded by the lock of its arena.</summary>
internal sealed class SegmentMap
{
    /// <summary>The segments at the start that have small pages and are never prepared, so that a small pile stays
    /// small.</summary>
    public const int StarterSegments = 8;

    private readonly long _blockCount;
    private readonly byte[] _states;
    private readonly byte[] _taken;
    private readonly byte[] _resident;
    private readonly long[] _counts = new long[4];
    private long _residentBlocks;

    public SegmentMap(long blockCount)
    {
        _blockCount = blockCount;
        Count = SegmentOf(blockCount) + 1;
        _states = new byte[Count];
        _taken = new byte[Count];
        _resident = new byte[Count];
        _counts[(int)SegmentState.Untouched] = Count;
    }

    public long Count { get; }

    public long InUseCount => CountOf(SegmentState.InUse);

    public long ReadyCount => CountOf(SegmentState.Ready);

    /// <summary>Segments without memory.</summary>
    public long AbsentCount => CountOf(SegmentState.Untouched) + CountOf(SegmentState.GivenBack);

    public SegmentCounts Counts => new(
        InUseCount, ReadyCount, CountOf(SegmentState.GivenBack), _residentBlocks);

    public static long FirstBlock(long segment) => (segment * BlockLayout.BlocksPerSegment) + 1;

    public static long SegmentOf(long block) => (block - 1) / BlockLayout.BlocksPerSegment;

    /// <summary>The number of blocks of a segment; the last one may have fewer than the others.</summary>
    public int BlocksIn(long segment) =>
        (int)Math.Min(BlockLayout.BlocksPerSegment, _blockCount - FirstBlock(segment) + 1);

    public SegmentState StateOf(long segment) => (SegmentState)_states[segment];

    public void Take(long block)
    {
        var segment = SegmentOf(block);
        _taken[segment]++;
        SetState(segment, SegmentState.InUse);

        // Small pages are committed one by one, from the start of the segment; a huge page is committed whole.
        var reached = segment < StarterSegments ? (int)(block - FirstBlock(segment)) + 1 : BlocksIn(segment);
        SetResident(segment, Math.Max(_resident[segment], reached));
    }

    public void Release(long block)
    {
        var segment = SegmentOf(block);
        if (--_taken[segment] == 0)
            SetState(segment, SegmentState.Ready);
    }

    /// <summary>The lowest segment without memory, or -1.</summary>
    public long LowestAbsent() =>
        _states.AsSpan().IndexOfAny((byte)SegmentState.Untouched, (byte)SegmentState.GivenBack);

    /// <summary>The highest segment that is ready, or -1.</summary>
    public long HighestReady() => _states.AsSpan().LastIndexOf((byte)SegmentState.Ready);

    /// <summary>Notes that the memory of a wholly vacant segment was given back.</summary>
    public void NoteGivenBack(long segment)
    {
        Invariant.Holds(_taken[segment] == 0, "Only vacant segments are given back.");
        SetState(segment, SegmentState.GivenBack);
        SetResident(segment, 0);
    }

    private long CountOf(SegmentState state) => Volatile.Read(ref _counts[(int)state]);

    private void SetState(long segment, SegmentState state)
    {
        Volatile.Write(ref _counts[_states[segment]], _counts[_states[segment]] - 1);
        Volatile.Write(ref _counts[(int)state], _counts[(int)state] + 1);
        _states[segment] = (byte)state;
    }

    private void SetResident(long segment, int blocks)
    {
        _residentBlocks += blocks - _resident[segment];
        _resident[segment] = (byte)blocks;
    }
}

/// <summary>The number of segments in each state, and the number of blocks with memory. An immutable value.</summary>
internal readonly record struct SegmentCounts(long InUse, long Ready, long GivenBack, long ResidentBlocks);
