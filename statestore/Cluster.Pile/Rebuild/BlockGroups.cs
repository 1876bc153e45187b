using Cluster.Pile.Layout;
using Cluster.Pile.Slabs;

namespace Cluster.Pile.Rebuild;

/// <summary>Which blocks belong together, by their entries alone: the rules by which every recovery checks slabs, runs
/// and segments. Stateless.</summary>
internal static class BlockGroups
{
    /// <summary>Whether all blocks of the slab are there that begins at <paramref name="head"/>.</summary>
    public static bool IsWholeSlab(SlabTable table, long head, SlabEntry entry, long blockLast)
    {
        if (!IsOfSlab(entry) || entry.Position != 0 || head + entry.Blocks - 1 > blockLast)
            return false;
        for (var position = 1; position < entry.Blocks; position++)
        {
            var part = table.Entry(head + position);
            var isPart = part.State == SlabState.Slots && part.Class == entry.Class && part.Blocks == entry.Blocks;
            if (!isPart || part.Position != position)
                return false;
        }

        return true;
    }

    /// <summary>The number of blocks of a run or segment: its first block, and the later blocks of its kind that follow
    /// without a gap. For any other entry it is 1.</summary>
    public static long CountBlocks(SlabTable table, long head, SlabEntry entry, long blockLast)
    {
        if (entry.State is not (SlabState.RunHead or SlabState.SegmentHead))
            return 1;
        var tail = entry.State == SlabState.RunHead ? SlabState.RunTail : SlabState.SegmentTail;
        var block = head + 1;
        while (block <= blockLast && table.Entry(block).State == tail)
            block++;
        return block - head;
    }

    /// <summary>Whether the class of the entry is one of slots.</summary>
    public static bool IsOfSlab(SlabEntry entry) => entry.Class < SizeClasses.Count;

    /// <summary>Whether the entry is that of a later block of a run that was freed. No slot begins in such a block, so
    /// there is no counter to keep.</summary>
    public static bool IsFreedTail(SlabEntry entry) =>
        entry.State == SlabState.Freed && entry.Class == SizeClasses.RunIndex && entry.Position != 0;
}
