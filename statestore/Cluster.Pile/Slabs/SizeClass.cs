using Cluster.Pile.Layout;

namespace Cluster.Pile.Slabs;

/// <summary>One slot size, with the constants that find slot borders without a division, and the number of blocks of
/// its slabs. An immutable value.</summary>
internal readonly struct SizeClass
{
    // The offset within a slab is below 2^17 granules, so this many fraction bits make the product exact.
    private const int QuotientShift = 40;
    private const int SlotBytesYoungSmall = 4 * 1024;
    private const int SlotBytesSmall = 32 * 1024;
    private const int SmallSlabBlocks = 4;
    private const int MagazineBytes = 64 * 1024;
    private const int MagazineSlotsMax = 128;

    private readonly ulong _reciprocal;

    public SizeClass(int index, int slotBytes)
    {
        Invariant.Holds(slotBytes > 0 && slotBytes % PilePointer.GranuleBytes == 0, "Slots are whole granules.");
        Index = index;
        SlotBytes = slotBytes;
        SlotGranules = slotBytes / PilePointer.GranuleBytes;
        _reciprocal = ((1UL << QuotientShift) / (ulong)SlotGranules) + 1;
        BlocksYoung = (int)BlockLayout.BlocksFor(slotBytes);
        BlocksMature = slotBytes <= SlotBytesSmall ? SmallSlabBlocks : BlocksOfLeastWaste(slotBytes, BlocksYoung);
        MagazineSlots = MagazineSlotsFor(slotBytes);
    }

    public int Index { get; }

    public int SlotBytes { get; }

    public int SlotGranules { get; }

    /// <summary>The number of blocks of the first slabs: few, so that a small pile stays small.</summary>
    public int BlocksYoung { get; }

    /// <summary>The number of blocks of later slabs.</summary>
    public int BlocksMature { get; }

    /// <summary>The most free slots that a thread keeps; a power of two.</summary>
    public int MagazineSlots { get; }

    /// <summary>Whether slabs still have few blocks, for a class that owns this many bytes.</summary>
    public bool IsYoung(long ownedBytes) =>
        SlotBytes <= SlotBytesYoungSmall ? ownedBytes < SizeClasses.YoungBytesMax : ownedBytes == 0;

    public int SlotsIn(int blocks) => blocks * BlockLayout.GranulesPerBlock / SlotGranules;

    /// <summary>The slot whose border is exactly here, or -1 when there is none within the blocks.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int SlotAt(int granuleInSlab, int blocks)
    {
        var index = (int)(((ulong)(uint)granuleInSlab * _reciprocal) >> QuotientShift);
        return index * SlotGranules == granuleInSlab
            && granuleInSlab + SlotGranules <= blocks * BlockLayout.GranulesPerBlock ? index : -1;
    }

    private static int BlocksOfLeastWaste(int slotBytes, int blocksMin)
    {
        var best = blocksMin;
        for (var blocks = blocksMin + 1; blocks <= SlabEntry.BlocksMax; blocks++)
        {
            if (WastePerMille(slotBytes, blocks) < WastePerMille(slotBytes, best))
                best = blocks;
        }

        return best;
    }

    private static int WastePerMille(int slotBytes, int blocks)
    {
        var bytes = blocks * BlockLayout.BlockBytes;
        return (int)(bytes % slotBytes * 1000L / bytes);
    }

    private static int MagazineSlotsFor(int slotBytes)
    {
        var slots = MagazineSlotsMax;
        while (slots > 1 && (long)slots * slotBytes > MagazineBytes)
            slots /= 2;
        return slots;
    }
}
