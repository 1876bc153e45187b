using Cluster.Pile.Context;
using Cluster.Pile.Layout;
using Cluster.Pile.Rebuild;

namespace Cluster.Pile.Mapped;

/// <summary>Attaches a pile from its tables after a clean shutdown, without reading any slot. The time is linear in the
/// number of blocks. Stateless.</summary>
internal static class CleanTables
{
    /// <summary>Gives the log segments of the pile. False: the tables do not fit together, and nothing was taken over;
    /// the caller rebuilds from the slots.</summary>
    public static bool TryAdopt(
        PileContext pile, MappedState left, long blockLast, out IReadOnlyList<(long Head, long Blocks)> segments)
    {
        segments = [];
        var heads = new List<long>();
        for (long block = 1; block <= blockLast;)
        {
            var blocks = BlocksOfWhole(pile, block, blockLast);
            if (blocks == 0)
                return false;
            if (pile.Table.Entry(block).State != SlabState.Vacant)
                heads.Add(block);
            block += blocks;
        }

        for (long block = 1; block <= blockLast; block++)
            AdoptBlock(pile, block);
        foreach (var head in heads)
            Adopt(pile, head);
        var logs = heads.Where(head => pile.Table.Entry(head).State == SlabState.SegmentHead);
        segments = [.. logs.Select(head => (head, pile.Table.Count(head)))];
        SetCounters(pile, left);
        return true;
    }

    // How many blocks the slab, run or segment from this block on has; zero when the entries do not fit together.
    private static long BlocksOfWhole(PileContext pile, long block, long blockLast)
    {
        var entry = pile.Table.Entry(block);
        return entry.State switch
        {
            SlabState.Vacant => 1,
            SlabState.Slots when BlockGroups.IsWholeSlab(pile.Table, block, entry, blockLast) => entry.Blocks,
            SlabState.RunHead or SlabState.SegmentHead when HasItsTails(pile, block, entry, blockLast) =>
                pile.Table.Count(block),
            _ => 0,
        };
    }

    private static bool HasItsTails(PileContext pile, long head, SlabEntry entry, long blockLast)
    {
        var blocks = pile.Table.Count(head);
        if (blocks != BlockGroups.CountBlocks(pile.Table, head, entry, blockLast))
            return false;
        for (var block = head + 1; entry.State == SlabState.SegmentHead && block < head + blocks; block++)
        {
            if (pile.Table.Count(block) != head)
                return false;
        }

        return true;
    }

    private static void AdoptBlock(PileContext pile, long block)
    {
        var deadline = pile.Table.Deadline(block);
        if (deadline != 0)
            pile.Deadlines.NoteEarliest(deadline, pile.Deadlines.Clock.Now);
        var isRetired = pile.Table.HighWater(block) > GenerationMask.CounterMax;
        if (isRetired && pile.Table.Entry(block).State == SlabState.Vacant)
            pile.Arena.AdoptRetired(block);
    }

    private static void Adopt(PileContext pile, long head)
    {
        var entry = pile.Table.Entry(head);
        var isSlab = entry.State == SlabState.Slots;
        var isTaken = pile.Arena.TryAdopt(head, isSlab ? entry.Blocks : pile.Table.Count(head));
        Invariant.Holds(isTaken, "The segments of blocks in use are mapped.");
        if (isSlab)
            pile.Allocator.Heaps[entry.Class].Adopt(head, retiredSlots: 0);
    }

    private static void SetCounters(PileContext pile, MappedState left)
    {
        for (var index = 0; index < left.RetiredSlots.Count; index++)
        {
            for (long retired = 0; retired < left.RetiredSlots[index]; retired++)
                pile.Allocator.Heaps[index].NoteRetired();
        }

        var cache = pile.Registry.Enter();
        cache.Objects += left.Objects;
        cache.Links += left.Links;
        cache.LiveBytes += left.LiveBytes;
        for (long block = 1; block <= pile.Arena.Frontier; block++)
        {
            if (pile.Table.Entry(block).State != SlabState.RunHead)
                continue;
            cache.Runs++;
            cache.RunBlocks += pile.Table.Count(block);
        }

        cache.Exit();
        pile.Expiry.Check();
    }
}
