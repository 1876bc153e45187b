using Cluster.Pile.Context;
using Cluster.Pile.Layout;
using Cluster.Pile.Slabs;

namespace Cluster.Pile.Rebuild;

/// <summary>Rebuilds the bookkeeping of a pile from the entries, high waters and slot headers alone: which blocks are
/// taken, lists of slabs, bitmaps, counters, deadlines. Used once, on a new pile that no other thread uses.</summary>
/// <remarks>
/// <list type="number">
/// <item>the slots of every block in a slab are settled, in any order: <see cref="Visit"/></item>
/// <item>the entries are checked: the blocks of a slab or run belong together, and ended blocks become vacant</item>
/// <item>owners of links are matched with their bodies</item>
/// <item>blocks are taken, slabs are put into the lists of their class, counters are set</item>
/// </list>
/// </remarks>
internal sealed class Rebuilder
{
    private readonly PileContext _pile;
    private readonly RebuildRules _rules;
    private readonly RebuildTally _tally = new();
    private readonly SlotRebuild _slots;
    private readonly List<long> _slabs = [];
    private readonly List<long> _runs = [];
    private readonly List<(long Head, long Blocks)> _segments = [];

    public Rebuilder(PileContext pile, RebuildRules rules)
    {
        _pile = pile;
        _rules = rules;
        _slots = new SlotRebuild(pile, rules, _tally);
    }

    /// <summary>The log segments that were found. Their blocks are taken; the tables of records take over their
    /// content.</summary>
    public IReadOnlyList<(long Head, long Blocks)> Segments => _segments;

    /// <summary>Rebuilds everything, for memory in which a process was working when it died. Old bitmaps and counts are
    /// cleared first; half-made slabs are repaired.</summary>
    public void Run(long blockLast)
    {
        for (long block = 1; block <= blockLast; block++)
        {
            _pile.Bitmap.ClearRow(block);
            if (_pile.Table.Entry(block) is { State: SlabState.Slots, Position: 0 })
                _pile.Table.SetCount(block, 0);
        }

        CheckEntries(blockLast);
        foreach (var head in _slabs)
        {
            var blocks = _pile.Table.Entry(head).Blocks;
            for (var block = head; block < head + blocks; block++)
                _slots.Visit(block);
        }

        Settle(blockLast);
    }

    /// <summary>Settles the slots that begin in a block. Content and entry of the block are in place, and its bitmap
    /// row is clear.</summary>
    public void Visit(long block)
    {
        if (_pile.Table.Entry(block).State == SlabState.Slots)
            _slots.Visit(block);
    }

    /// <summary>Does all other steps, after all blocks have been visited.</summary>
    public void Finish(long blockLast)
    {
        CheckEntries(blockLast);
        Settle(blockLast);
    }

    private void CheckEntries(long blockLast)
    {
        for (long block = 1; block <= blockLast;)
        {
            var entry = _pile.Table.Entry(block);
            block += entry.State switch
            {
                SlabState.Vacant => 1,
                SlabState.Slots => CheckSlab(block, entry, blockLast),
                SlabState.RunHead => CheckRun(block, entry, blockLast),
                SlabState.SegmentHead => CheckSegment(block, entry, blockLast),
                SlabState.Freed => FreeBlocks(block, entry, blockLast),
                _ => Drop(block, $"The block is of state {entry.State}, and what it belongs to is not there."),
            };
        }
    }

    private long CheckSlab(long head, SlabEntry entry, long blockLast)
    {
        if (!BlockGroups.IsWholeSlab(_pile.Table, head, entry, blockLast))
            return Drop(head, "The blocks of a slab are not all there.");
        _slabs.Add(head);
        return entry.Blocks;
    }

    private long CheckRun(long head, SlabEntry entry, long blockLast)
    {
        if (entry.Class != SizeClasses.RunIndex)
            return Drop(head, "The block is of a run, and of the class of something else.");
        var blocks = BlockGroups.CountBlocks(_pile.Table, head, entry, blockLast);
        _pile.Table.SetCount(head, blocks);
        _slots.VisitRun(head, blocks);
        _runs.Add(head);
        return blocks;
    }

    // Index segments become vacant: indexes are built again from the records.
    private long CheckSegment(long head, SlabEntry entry, long blockLast)
    {
        if (entry.Class is not (SizeClasses.PageIndex or SizeClasses.LogIndex))
            return Drop(head, "The block is of a segment, and of the class of something else.");
        var blocks = BlockGroups.CountBlocks(_pile.Table, head, entry, blockLast);
        if (entry.Class == SizeClasses.PageIndex)
        {
            for (var block = head; block < head + blocks; block++)
                _pile.Table.SetEntry(block, _pile.Table.Entry(block).Vacated());
            return blocks;
        }

        _pile.Table.SetCount(head, blocks);
        _pile.Table.ClearDead(head);
        for (var block = head + 1; block < head + blocks; block++)
            _pile.Table.SetCount(block, head);
        _segments.Add((head, blocks));
        return blocks;
    }

    // The slab of the block was half made: all its slots are free, or no slot was ever handed out.
    private long Drop(long block, string problem)
    {
        _rules.Damaged(block, problem);
        if (BlockGroups.IsOfSlab(_pile.Table.Entry(block)))
            _slots.NoteFreed(block);
        _pile.Table.SetEntry(block, _pile.Table.Entry(block).Vacated());
        return 1;
    }

    // The process may have died before it ended the later blocks of a run; the length of the run is in the count of its
    // first block.
    private long FreeBlocks(long block, SlabEntry entry, long blockLast)
    {
        var isRun = entry.Class == SizeClasses.RunIndex;
        var blocks = isRun ? Math.Clamp(_pile.Table.Count(block), 1, blockLast - block + 1) : 1;
        if (isRun || BlockGroups.IsOfSlab(entry))
            _slots.NoteFreed(block);
        var end = block;
        do
        {
            _pile.Table.SetEntry(end, _pile.Table.Entry(end).Vacated());
            end++;
        }
        while (end < block + blocks && IsTailOfRun(_pile.Table.Entry(end)));
        return end - block;
    }

    private static bool IsTailOfRun(SlabEntry entry) =>
        entry.State == SlabState.RunTail || BlockGroups.IsFreedTail(entry);

    private void Settle(long blockLast)
    {
        new BodyClaims(_pile, _rules, _tally, _slots).Settle();
        foreach (var head in _runs)
            TakeRun(head);
        for (long block = 1; block <= blockLast; block++)
            SettleVacant(block);
        foreach (var head in _slabs)
            Take(head, _pile.Table.Entry(head).Blocks);
        foreach (var (head, blocks) in _segments)
            Take(head, blocks);
        foreach (var head in _slabs)
        {
            var heap = _pile.Allocator.Heaps[_pile.Table.Entry(head).Class];
            heap.Adopt(head, _tally.RetiredSlots.GetValueOrDefault(head));
        }

        SetCounters();
        _pile.Expiry.Check();
    }

    private void TakeRun(long head)
    {
        var blocks = _pile.Table.Count(head);
        var header = _pile.Space.Header(new BlockSlots(_pile, head).PlaceOf(0));
        if (header.State is SlotState.Live or SlotState.Marked)
        {
            Take(head, blocks);
            _tally.Runs++;
            _tally.RunBlocks += blocks;
            return;
        }

        _slots.NoteFreed(head);
        for (var block = head; block < head + blocks; block++)
            _pile.Table.SetEntry(block, _pile.Table.Entry(block).Vacated());
    }

    private void SettleVacant(long block)
    {
        if (_pile.Table.Entry(block).State != SlabState.Vacant)
            return;
        var water = _pile.Table.HighWater(block);
        if (water != 0)
            _pile.Table.SetHighWater(block, Math.Min(water, GenerationMask.CounterMax + 1) + _rules.Margin);
        if (_pile.Table.HighWater(block) > GenerationMask.CounterMax)
            _pile.Arena.AdoptRetired(block);
    }

    private void Take(long head, long blocks)
    {
        if (_pile.Arena.TryAdopt(head, blocks))
            return;
        throw new InsufficientMemoryException(
            $"The system refused {blocks * BlockLayout.BlockBytes:N0} bytes for what the pile holds; free memory.");
    }

    private void SetCounters()
    {
        var cache = _pile.Registry.Enter();
        cache.Objects += _tally.Objects;
        cache.LiveBytes += _tally.LiveBytes;
        cache.Links += _tally.Links;
        cache.Runs += _tally.Runs;
        cache.RunBlocks += _tally.RunBlocks;
        cache.Exit();
    }
}
