using Cluster.Pile.Context;
using Cluster.Pile.Layout;
using Cluster.Pile.Slabs;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Rebuild;

/// <summary>The slots of a slab that begin in one of its blocks, by their index in the slab. Trusts the slab entry,
/// also when the life of the slab has ended. An immutable value.</summary>
internal readonly struct BlockSlots
{
    private readonly long _origin;
    private readonly long _headGranule;
    private readonly int _slotGranules;

    public BlockSlots(PileContext pile, long block)
    {
        Entry = pile.Table.Entry(block);
        _origin = pile.Layout.OriginOffset;
        _headGranule = (block - Entry.Position) << BlockLayout.GranulesPerBlockShift;
        if (Entry.Class == SizeClasses.RunIndex)
        {
            (_slotGranules, First, End) = (1, 0, 1);
            return;
        }

        ref readonly var sizeClass = ref SizeClasses.At(Entry.Class);
        _slotGranules = sizeClass.SlotGranules;
        var before = Entry.Position * BlockLayout.GranulesPerBlock;
        First = (before + _slotGranules - 1) / _slotGranules;
        End = Math.Min(
            (before + BlockLayout.GranulesPerBlock + _slotGranules - 1) / _slotGranules,
            sizeClass.SlotsIn(Entry.Blocks));
    }

    public SlabEntry Entry { get; }

    /// <summary>The first slot that begins in the block.</summary>
    public int First { get; }

    /// <summary>The slot behind the last one that begins in the block.</summary>
    public int End { get; }

    public SlotPlace PlaceOf(int slot)
    {
        var granule = _headGranule + ((long)slot * _slotGranules);
        var offset = _origin + (granule * PilePointer.GranuleBytes);
        return new SlotPlace(granule, Entry, offset, (long)_slotGranules * PilePointer.GranuleBytes);
    }

    /// <summary>The index in its slab of a slot that a pointer led to.</summary>
    public static int IndexOf(in SlotPlace place)
    {
        var head = SlabTable.BlockOf(place.Granule) - place.Entry.Position;
        var inSlab = place.Granule - (head << BlockLayout.GranulesPerBlockShift);
        return (int)(inSlab * PilePointer.GranuleBytes / place.Bytes);
    }
}
