using Cluster.Pile.Memory;
using Cluster.Pile.Objects;
using Cluster.Pile.Slabs;

namespace Cluster.Pile.Buffers.Extents;

/// <summary>Extents out of the blocks of one pile, within its budget. Nothing resolves as an object there, so no
/// pointer ever leads into a buffer. Thread-safe as the arena is.</summary>
internal sealed class PileExtents(
    NativeRange range, BlockLayout layout, SlabArena arena, SegmentReserve reserve, Relief relief) : IExtentSource
{
    private readonly NativeRange _range = range;
    private readonly BlockLayout _layout = layout;
    private readonly SlabArena _arena = arena;
    private readonly SegmentReserve _reserve = reserve;
    private readonly Relief _relief = relief;

    public long TakenBytes => _arena.BufferBlocks * BlockLayout.BlockBytes;

    // Blocks are aligned to 64 KiB, the most that is asked for.
    public Extent Take(long bytes, long alignment)
    {
        var blocks = BlockLayout.BlocksFor(bytes);
        var first = _arena.TryTakeForBuffer(blocks, out var freshFrom);
        if (first == 0)
        {
            _relief.MakeRoom(bytes);
            first = _arena.TryTakeForBuffer(blocks, out freshFrom);
        }

        if (first == 0)
            throw _relief.Full(bytes);
        _reserve.Check();
        var dirty = new Interval(0, (Math.Min(freshFrom, first + blocks) - first) * BlockLayout.BlockBytes);
        return new Extent(
            _range.Address + (nint)_layout.BlockOffset(first),
            blocks * BlockLayout.BlockBytes,
            dirty.Length <= 0 ? [] : [dirty]);
    }

    public void Return(nint address, long bytes)
    {
        var offset = (long)(address - _range.Address) - _layout.OriginOffset;
        _arena.ReturnFromBuffer(offset >> BlockLayout.BlockBytesShift, BlockLayout.BlocksFor(bytes));
        _reserve.Check();
    }
}
