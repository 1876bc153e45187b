using Cluster.Pile.Memory;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Slabs;

/// <summary>
/// Makes slabs and runs out of vacant blocks and takes them back. Owned by one pile. The map and the list of
/// ended slabs are guarded by its lock, which is the innermost one; a block in the making or unmaking belongs
/// to the thread that does it.
/// </summary>
/// <remarks>
/// A slab ends in two steps. First its entries say so, and nothing resolves there any more. Its blocks become
/// vacant only after every operation that began before has ended, so a writer never meets a slot whose slab
/// changed under it.
/// </remarks>
internal sealed class SlabArena
{
    private readonly NativeWindow _window;
    private readonly BlockLayout _layout;
    private readonly SlabTable _table;
    private readonly GenerationMask _mask;
    private readonly uint _counterFirst;
    private readonly Lock _gate = new();
    private readonly BlockMap _map;
    private readonly List<long> _ended = [];
    private long _endedBlocks;
    private long _retiredBlocks;
    private long _frontier;
    private long _takenBlocks;
    private long _discardedSegments;

    public SlabArena(NativeWindow window, BlockLayout layout, SlabTable table, GenerationMask mask, uint counterFirst)
    {
        _window = window;
        _layout = layout;
        _table = table;
        _mask = mask;
        _counterFirst = counterFirst;
        _map = new BlockMap(layout.BlockCount);
    }

    /// <summary>Blocks of slabs that ended and wait for running operations.</summary>
    public long EndedBlocks => Volatile.Read(ref _endedBlocks);

    /// <summary>Blocks that are never used again because their generations ran out.</summary>
    public long RetiredBlocks => Volatile.Read(ref _retiredBlocks);

    /// <summary>The highest block that was ever in use.</summary>
    public long Frontier => Volatile.Read(ref _frontier);

    /// <summary>How many segments' worth of blocks below the frontier is vacant and still resident.</summary>
    public long IdleSegments
        => (Frontier - Volatile.Read(ref _takenBlocks) - (DiscardedSegments * BlockLayout.BlocksPerSegment))
            / BlockLayout.BlocksPerSegment;

    /// <summary>Segments below the frontier whose pages were given back.</summary>
    public long DiscardedSegments => Volatile.Read(ref _discardedSegments);

    /// <summary>Makes a slab whose slots are all free and gives its first block; 0 when no place is left.</summary>
    public long TryCreateSlab(in SizeClass sizeClass, bool young)
    {
        var blocks = young ? sizeClass.BlocksYoung : sizeClass.BlocksMature;
        var head = TryTake(blocks);
        if (head == 0 && blocks > sizeClass.BlocksYoung)
        {
            blocks = sizeClass.BlocksYoung;
            head = TryTake(blocks);
        }

        if (head == 0)
            return 0;
        Format(head, sizeClass, blocks);
        for (var position = 0; position < blocks; position++)
        {
            var entry = _table.Entry(head + position);
            _table.SetEntry(head + position, entry.NextLife(SlabState.Slots, sizeClass.Index, position, blocks));
        }

        return head;
    }

    /// <summary>
    /// Makes a run for one large object, its header free, and gives its first block; 0 when no place is left.
    /// </summary>
    public long TryCreateRun(long blocks)
    {
        var head = TryTake(blocks);
        if (head == 0)
            return 0;
        WriteFreeHeader(head, 0, CounterFor(head, blocks));
        _table.SetCount(head, blocks);
        for (var block = head; block < head + blocks; block++)
        {
            var state = block == head ? SlabState.RunHead : SlabState.RunTail;
            _table.SetEntry(block, _table.Entry(block).NextLife(state, SizeClasses.RunIndex, 0, 1));
        }

        return head;
    }

    /// <summary>Ends a slab or run whose slots are all free.</summary>
    public void End(long head)
    {
        var blocks = BlocksOf(head);
        EndEntries(head, blocks);
        lock (_gate)
        {
            _ended.Add(head);
            _endedBlocks += blocks;
        }
    }

    /// <summary>
    /// Ended slabs, to be given to <see cref="Vacate"/> when all operations that began before are over.
    /// </summary>
    public long[] TakeEnded()
    {
        lock (_gate)
        {
            long[] heads = [.. _ended];
            _ended.Clear();
            return heads;
        }
    }

    /// <summary>Makes the blocks of ended slabs vacant; nobody else may hold on to them.</summary>
    public void Vacate(ReadOnlySpan<long> heads)
    {
        foreach (var head in heads)
        {
            var blocks = BlocksOf(head);
            var counter = HighestCounter(head, blocks) + 1;
            for (var block = head; block < head + blocks; block++)
                _table.SetHighWater(block, counter);
            lock (_gate)
            {
                _endedBlocks -= blocks;
                Return(head, blocks, counter);
            }
        }
    }

    /// <summary>Ends every slab and run at once, whatever lives in them; no operation may be running.</summary>
    public void VacateAll()
    {
        Vacate(TakeEnded());
        var heads = new List<long>();
        for (long block = 1; block <= Frontier; block++)
        {
            var entry = _table.Entry(block);
            if (entry.State == SlabState.RunHead || (entry.State == SlabState.Slots && entry.Position == 0))
                heads.Add(block);
        }

        foreach (var head in heads)
            End(head);
        Vacate(TakeEnded());
    }

    /// <summary>Takes a vacant, resident segment out of use, so that its pages can be given back.</summary>
    public bool TryTakeSegment(long segment)
    {
        lock (_gate)
            return _map.TryTakeSegment(segment);
    }

    /// <summary>Puts back a segment that <see cref="TryTakeSegment"/> took and whose pages are gone.</summary>
    public void ReturnDiscarded(long segment)
    {
        lock (_gate)
        {
            _map.ReturnDiscarded(segment);
            PublishCountsNeedsLock();
        }
    }

    private long TryTake(long blocks)
    {
        lock (_gate)
        {
            var head = _map.TryTake(blocks);
            if (head + blocks - 1 > _frontier && head != 0)
                Volatile.Write(ref _frontier, head + blocks - 1);
            PublishCountsNeedsLock();
            return head;
        }
    }

    private void Return(long head, long blocks, uint counter)
    {
        if (counter > GenerationMask.CounterMax)
        {
            _retiredBlocks += blocks;
            return;
        }

        for (var block = head; block < head + blocks; block++)
            _map.Release(block);
        PublishCountsNeedsLock();
    }

    private void PublishCountsNeedsLock()
    {
        Volatile.Write(ref _takenBlocks, _layout.BlockCount - _map.VacantCount);
        Volatile.Write(ref _discardedSegments, _map.DiscardedCount);
    }

    private void Format(long head, in SizeClass sizeClass, int blocks)
    {
        var counter = CounterFor(head, blocks);
        var slots = sizeClass.SlotsIn(blocks);
        for (var slot = 0; slot < slots; slot++)
            WriteFreeHeader(head, (long)slot * sizeClass.SlotGranules, counter);
    }

    private void WriteFreeHeader(long head, long granuleInSlab, uint counter)
    {
        var granule = (head << BlockLayout.GranulesPerBlockShift) + granuleInSlab;
        var header = new SlotHeader(_mask.ToGeneration(counter, granule), 0, 0, PayloadKind.Bytes, SlotState.Free);
        _window.WriteWord(_layout.OriginOffset + (granule * PilePointer.GranuleBytes), header.Word);
    }

    private uint CounterFor(long head, long blocks)
    {
        var counter = _counterFirst;
        for (var block = head; block < head + blocks; block++)
            counter = Math.Max(counter, _table.HighWater(block));
        Invariant.Holds(counter <= GenerationMask.CounterMax, "Blocks without generations are not vacant.");
        return counter;
    }

    private uint HighestCounter(long head, long blocks)
    {
        var entry = _table.Entry(head);
        var isRun = entry.Class == SizeClasses.RunIndex;
        var slots = isRun ? 1 : SizeClasses.At(entry.Class).SlotsIn((int)blocks);
        var step = isRun ? 0 : SizeClasses.At(entry.Class).SlotGranules;
        uint highest = 0;
        for (var slot = 0; slot < slots; slot++)
        {
            var granule = (head << BlockLayout.GranulesPerBlockShift) + ((long)slot * step);
            var header = new SlotHeader(_window.ReadWord(_layout.OriginOffset + (granule * PilePointer.GranuleBytes)));
            highest = Math.Max(highest, _mask.ToCounter(header.Generation, granule));
        }

        return highest;
    }

    private long BlocksOf(long head)
    {
        var entry = _table.Entry(head);
        return entry.Class == SizeClasses.RunIndex ? _table.Count(head) : entry.Blocks;
    }

    private void EndEntries(long head, long blocks)
    {
        for (var block = head; block < head + blocks; block++)
            _table.SetEntry(block, _table.Entry(block).Ended());
    }
}
