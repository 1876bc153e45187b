using Cluster.Pile.Layout;

namespace Cluster.Pile.Slabs;

/// <summary>One slot size, with what it takes to find slot borders without a division and how many blocks its slabs
/// take. An immutable value.</summary>
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

    /// <summary>Blocks of the first slabs, few so that a small pile stays small.</summary>
    public int BlocksYoung { get; }

    /// <summary>Blocks of later slabs.</summary>
    public int BlocksMature { get; }

    /// <summary>How many free slots a thread keeps at most; a power of two.</summary>
    public int MagazineSlots { get; }

    /// <summary>Whether slabs are still made of few blocks, for a class that owns so many bytes.</summary>
    public bool IsYoung(long ownedBytes) =>
        SlotBytes <= SlotBytesYoungSmall ? ownedBytes < SizeClasses.YoungBytesMax : ownedBytes == 0;

    public int SlotsIn(int blocks) => blocks * BlockLayout.GranulesPerBlock / SlotGranules;

    /// <summary>The slot whose border lies exactly here, or -1 when none does within the blocks.</summary>
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
