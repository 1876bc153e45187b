using Cluster.Pile.Memory;
using Cluster.Pile.Slabs;

namespace Cluster.Pile.Slots;

/// <summary>Walks over all slots in address order and stops at those that hold an object. Owned by one enumeration;
/// mutable, do not make readonly; what it reads needs no protection, see below.</summary>
/// <remarks>The position only rises and a slot never moves, so no slot is met twice. An object that lives through the
/// walk keeps its slab alive, in the same size class, from before its first slot is visited until after the last: the
/// walk steps from border to border and finds it. Where a slab ends or begins under the walk, the rest of the block may
/// be skipped, because whatever is there now is younger than the walk.</remarks>
internal struct SlotScan(SlotSpace space, long blockLast)
{
    private readonly SlotSpace _space = space;
    private readonly long _blockLast = blockLast;
    private long _granule = 1L << BlockLayout.GranulesPerBlockShift;

    /// <summary>Goes to the next object; its header is as it was at one moment during the call.</summary>
    public bool MoveNext(out long granule, out SlotHeader header)
    {
        while (SlabTable.BlockOf(_granule) <= _blockLast)
        {
            granule = _granule;
            if (!_space.TryLookAt(granule, out var place, out header))
            {
                _granule = NextBlock();
                continue;
            }

            _granule = place.Entry.State == SlabState.RunHead
                ? NextBlock()
                : granule + (place.Bytes / PilePointer.GranuleBytes);
            if (header.IsObject)
                return true;
        }

        (granule, header) = (0, default);
        return false;
    }

    private readonly long NextBlock() => (SlabTable.BlockOf(_granule) + 1) << BlockLayout.GranulesPerBlockShift;
}
