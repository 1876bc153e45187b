using Cluster.Pile.Slabs;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Objects;

/// <summary>Moves free memory together and gives it back. Owned by one pile; its lock lets one compaction run at a
/// time, and all other operations continue.</summary>
/// <remarks>
/// <list type="number">
/// <item>take the free slots out of each thread's magazines, one thread after the other, and end empty slabs</item>
/// <item>move bodies of linked objects from sparse slabs to fuller ones, and end the slabs that emptied</item>
/// <item>give segments beyond the reserve back to the system</item>
/// </list>
/// Links are not collapsed here: the update that makes an object fit its own slot again does that.
/// </remarks>
internal sealed class Compactor(SlotAllocator allocator, SlabArena arena, SegmentReserve reserve, BodyMover mover)
{
    private readonly SlotAllocator _allocator = allocator;
    private readonly SlabArena _arena = arena;
    private readonly SegmentReserve _reserve = reserve;
    private readonly BodyMover _mover = mover;
    private readonly Lock _gate = new();

    public PileCompaction Run()
    {
        lock (_gate)
        {
            _allocator.Tidy();
            var moved = _mover.MoveAll(_arena.Frontier);
            if (moved > 0)
                _allocator.Tidy();
            return new PileCompaction(_reserve.GiveBack(), moved);
        }
    }
}
