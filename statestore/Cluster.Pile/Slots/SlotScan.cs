using Cluster.Pile.Layout;
using Cluster.Pile.Slabs;

namespace Cluster.Pile.Slots;

/// <summary>Walks over all slots in address order and stops at those that hold an object. Owned by one enumeration;
/// mutable, do not make readonly. It needs no lock; the remarks say why.</summary>
/// <remarks>The position only rises and a slot never moves, so no slot is met twice. An object that exists during the
/// whole walk keeps its slab in the same size class for that time, so the walk finds its slot border. Where a slab ends
/// or begins during the walk, the walk may skip the rest of the block, because its objects are younger than the
/// walk.</remarks>
internal struct SlotScan(SlotSpace space, long blockLast)
{
    private readonly SlotSpace _space = space;
    private readonly long _blockLast = blockLast;
    private long _granule = 1L << BlockLayout.GranulesPerBlockShift;

    /// <summary>Goes to the next object and gives its header, as the header was at one moment during the
    /// call.</summary>
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
