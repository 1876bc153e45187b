using Cluster.Pile.Layout;
using Cluster.Pile.Memory;

namespace Cluster.Pile.Slabs;

/// <summary>Makes slabs, runs and segments out of vacant blocks and takes them back. Owned by one pile. The map and the
/// list of ended slabs are guarded by its lock, which is the innermost one; a block in the making or unmaking belongs
/// to the thread that does it, a segment whose memory comes or goes to the holder of the second lock.</summary>
/// <remarks>A slab ends in two steps. First its entries say so, and nothing resolves there any more. Its blocks become
/// vacant only after every operation that began before has ended, so a writer never meets a slot whose slab changed
/// under it.</remarks>
internal sealed class SlabArena(
    NativeRange range, BlockLayout layout, SlabTable table, GenerationMask mask, uint counterFirst)
{
    private readonly NativeRange _range = range;
    private readonly NativeWindow _window = range.OpenWindow();
    private readonly BlockLayout _layout = layout;
    private readonly SlabTable _table = table;
    private readonly GenerationMask _mask = mask;
    private readonly uint _counterFirst = counterFirst;
    private readonly Lock _memoryGate = new();
    private readonly Lock _gate = new();
    private readonly BlockMap _map = new BlockMap(layout.BlockCount);
    private readonly List<long> _freed = [];
    private long _freedBlocks;
    private long _retiredBlocks;
    private long _bufferBlocks;
    private long _recordBlocks;
    private long _frontier;
    private bool _isSegmentOut;
    private bool _isClosed;

    public long BudgetBytes => _layout.BudgetBytes;

    /// <summary>Blocks of ended slabs that wait until running operations have ended.</summary>
    public long FreedBlocks => Volatile.Read(ref _freedBlocks);

    /// <summary>Blocks that are never used again because their generations ran out.</summary>
    public long RetiredBlocks => Volatile.Read(ref _retiredBlocks);

    /// <summary>The blocks of tenants, such as typed buffers.</summary>
    public long BufferBlocks => Volatile.Read(ref _bufferBlocks);

    /// <summary>The blocks of log segments and indexes, except ended ones.</summary>
    public long RecordBlocks => Volatile.Read(ref _recordBlocks);

    /// <summary>The highest block that was ever in use.</summary>
    public long Frontier => Volatile.Read(ref _frontier);

    /// <summary>Segments that are wholly vacant and have memory.</summary>
    public long ReadySegments => _map.Segments.ReadyCount;

    /// <summary>The segments with at least one used block.</summary>
    public long SegmentsInUse => _map.Segments.InUseCount;

    /// <summary>Segments without memory, never used or given back.</summary>
    public long AbsentSegments => _map.Segments.AbsentCount;

    /// <summary>The blocks that are not in use.</summary>
    public long VacantBlocks => _map.VacantCount;

    /// <summary>Whether this many contiguous blocks are vacant.</summary>
    public bool HasRoom(long blocks)
    {
        lock (_gate)
            return _map.CanTake(blocks);
    }

    /// <summary>Creates a slab whose slots are all free and returns its first block; 0 when there is no
    /// place.</summary>
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

    /// <summary>Creates a run for one large object, its header free, and returns its first block; 0 when there is no
    /// place.</summary>
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
            var position = block == head ? 0 : 1;
            _table.SetEntry(block, _table.Entry(block).NextLife(state, SizeClasses.RunIndex, position, 1));
        }

        return head;
    }

    /// <summary>Creates a segment of a log, or a page of an index, and returns its first block; 0 when there is no
    /// place. Blocks from <paramref name="freshFrom"/> on were never used and are zero; the others have any content. It
    /// lives until <see cref="Free"/>. Its first word is set before the entries name it, so that a segment whose
    /// creator died can be told from one with a header.</summary>
    public long TryCreateSegment(long blocks, int classIndex, ulong firstWord, out long freshFrom)
    {
        var head = TryTake(blocks, out freshFrom);
        if (head == 0)
            return 0;
        Interlocked.Add(ref _recordBlocks, blocks);
        _window.WriteWord(_layout.BlockOffset(head), firstWord);
        _table.SetCount(head, blocks);
        _table.ClearDead(head);
        for (var block = head + 1; block < head + blocks; block++)
            _table.SetCount(block, head);
        for (var block = head; block < head + blocks; block++)
        {
            var state = block == head ? SlabState.SegmentHead : SlabState.SegmentTail;
            _table.SetEntry(block, _table.Entry(block).NextLife(state, classIndex, 0, 1));
        }

        return head;
    }

    /// <summary>Takes blocks for a tenant and returns the first, or 0 when there is no place. Their entries stay
    /// vacant, so no pointer resolves there, and their generations stay as they are. Blocks from
    /// <paramref name="freshFrom"/> on were never used and are zero.</summary>
    public long TryTakeForBuffer(long blocks, out long freshFrom)
    {
        var first = TryTake(blocks, out freshFrom);
        if (first != 0)
            Interlocked.Add(ref _bufferBlocks, blocks);
        return first;
    }

    /// <summary>Makes blocks vacant that <see cref="TryTakeForBuffer"/> took.</summary>
    public void ReturnFromBuffer(long first, long blocks)
    {
        Interlocked.Add(ref _bufferBlocks, -blocks);
        lock (_gate)
            ReleaseNeedsLock(first, blocks);
    }

    /// <summary>Ends a slab or run whose slots are all free, or a segment that no reader reaches any more.</summary>
    public void Free(long head)
    {
        var blocks = BlocksOf(head);
        if (IsOfRecords(_table.Entry(head)))
            Interlocked.Add(ref _recordBlocks, -blocks);
        EndEntries(head, blocks);
        lock (_gate)
        {
            _freed.Add(head);
            _freedBlocks += blocks;
        }
    }

    /// <summary>The ended slabs; the caller gives them to <see cref="Vacate"/> when all operations that began before
    /// are over.</summary>
    public long[] TakeFreed()
    {
        lock (_gate)
        {
            long[] heads = [.. _freed];
            _freed.Clear();
            return heads;
        }
    }

    /// <summary>Makes the blocks of ended slabs vacant; no thread uses them any more.</summary>
    public void Vacate(ReadOnlySpan<long> heads)
    {
        foreach (var head in heads)
        {
            var blocks = BlocksOf(head);
            var counter = 0u;
            if (!IsOfRecords(_table.Entry(head)))
            {
                counter = Math.Max(HighestCounter(head, blocks) + 1, HighestWater(head, blocks));
                for (var block = head; block < head + blocks; block++)
                    _table.SetHighWater(block, counter);
            }

            // The first block last, because it holds the length of a run.
            for (var block = head + blocks - 1; block >= head; block--)
                _table.SetEntry(block, _table.Entry(block).Vacated());
            lock (_gate)
            {
                _freedBlocks -= blocks;
                ReturnNeedsLock(head, blocks, counter);
            }
        }
    }

    /// <summary>Ends every slab and run at once, with all objects in them; no operation may be running.</summary>
    public void VacateAll()
    {
        Vacate(TakeFreed());
        var heads = new List<long>();
        for (long block = 1; block <= Frontier; block++)
        {
            var entry = _table.Entry(block);
            var isHead = entry.State is SlabState.RunHead or SlabState.SegmentHead;
            if (isHead || (entry.State == SlabState.Slots && entry.Position == 0))
                heads.Add(block);
        }

        foreach (var head in heads)
            Free(head);
        Vacate(TakeFreed());
    }

    /// <summary>Takes blocks with content into use, in a pile that is being rebuilt. False: the system gives no
    /// memory.</summary>
    public bool TryAdopt(long first, long blocks)
    {
        lock (_gate)
        {
            if (!_range.TryCommit(_layout.BlockOffset(first), blocks * BlockLayout.BlockBytes))
                return false;
            _map.TakeAt(first, blocks);
            _recordBlocks += IsOfRecords(_table.Entry(first)) ? blocks : 0;
            Volatile.Write(ref _frontier, Math.Max(_frontier, first + blocks - 1));
            return true;
        }
    }

    /// <summary>Makes the first blocks usable, before their content is written. False: the system refuses.</summary>
    public bool TryCommit(long blockLast) =>
        _range.TryCommit(_layout.BlockOffset(1), blockLast * BlockLayout.BlockBytes);

    /// <summary>Takes a vacant block out of use because its generations ran out, in a pile that is being
    /// rebuilt.</summary>
    public void AdoptRetired(long block)
    {
        lock (_gate)
        {
            _map.TakeAt(block, 1);
            _retiredBlocks++;
            Volatile.Write(ref _frontier, Math.Max(_frontier, block));
        }
    }

    /// <summary>How many segments are in which state.</summary>
    public SegmentCounts CountSegments()
    {
        lock (_gate)
            return _map.Segments.Counts;
    }

    /// <summary>Commits the memory of the lowest segment that has none. False: all have theirs, or the system gives
    /// none.</summary>
    public bool TryPrepare()
    {
        lock (_memoryGate)
        {
            long segment;
            lock (_gate)
            {
                segment = _isClosed ? -1 : _map.TryTakeAbsentSegment();
                if (segment < 0)
                    return false;
                _isSegmentOut = true;
            }

            var isReady = _range.TryPrepare(SegmentOffset(segment), SegmentBytes(segment));
            lock (_gate)
            {
                _map.ReturnSegment(segment, hasMemory: isReady);
                _isSegmentOut = false;
            }

            return isReady;
        }
    }

    /// <summary>Gives back the memory of the highest ready segment when more than the given number are ready; returns
    /// the bytes.</summary>
    public long GiveBack(long readySegmentsKept)
    {
        lock (_memoryGate)
        {
            long segment;
            lock (_gate)
            {
                segment = _isClosed ? -1 : _map.TryTakeReadySegment(readySegmentsKept);
                if (segment < 0)
                    return 0;
                _isSegmentOut = true;
            }

            _range.Discard(SegmentOffset(segment), SegmentBytes(segment));
            lock (_gate)
            {
                _map.ReturnSegment(segment, hasMemory: false);
                _isSegmentOut = false;
            }

            return SegmentBytes(segment);
        }
    }

    /// <summary>Stops preparing and giving back of memory: the addresses get another owner.</summary>
    public void Close()
    {
        lock (_memoryGate)
            _isClosed = true;
    }

    private long TryTake(long blocks) => TryTake(blocks, out _);

    private long TryTake(long blocks, out long freshFrom)
    {
        if (!TryTake(blocks, out var head, out freshFrom))
        {
            // A segment whose memory is just being given back or prepared is not free for a moment. That is no reason
            // to report a full pile.
            lock (_memoryGate)
                head = TryTake(blocks, out head, out freshFrom) ? head : 0;
        }

        if (head != 0)
            _table.Barrier.BeforeChange(head, head + blocks - 1);
        return head;
    }

    // False: there was no place, but one may come back soon.
    private bool TryTake(long blocks, out long head, out long freshFrom)
    {
        lock (_gate)
        {
            freshFrom = _frontier + 1;
            head = _map.TryTake(blocks);
            if (head == 0)
                return !_isSegmentOut;
            if (head + blocks - 1 > _frontier)
                Volatile.Write(ref _frontier, head + blocks - 1);
            if (!_range.TryCommit(_layout.BlockOffset(head), blocks * BlockLayout.BlockBytes))
            {
                ReleaseNeedsLock(head, blocks);
                head = 0;
            }

            return true;
        }
    }

    private void ReleaseNeedsLock(long head, long blocks)
    {
        for (var block = head; block < head + blocks; block++)
            _map.Release(block);
    }

    private long SegmentOffset(long segment) => _layout.BlockOffset(SegmentMap.FirstBlock(segment));

    private long SegmentBytes(long segment) => (long)_map.Segments.BlocksIn(segment) * BlockLayout.BlockBytes;

    private void ReturnNeedsLock(long head, long blocks, uint counter)
    {
        if (counter > GenerationMask.CounterMax)
        {
            _retiredBlocks += blocks;
            return;
        }

        ReleaseNeedsLock(head, blocks);
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
        var counter = Math.Max(_counterFirst, HighestWater(head, blocks));
        Invariant.Holds(counter <= GenerationMask.CounterMax, "Blocks without generations are not vacant.");
        return counter;
    }

    private uint HighestWater(long head, long blocks)
    {
        uint counter = 0;
        for (var block = head; block < head + blocks; block++)
            counter = Math.Max(counter, _table.HighWater(block));
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
        return entry.Class == SizeClasses.RunIndex || IsOfRecords(entry) ? _table.Count(head) : entry.Blocks;
    }

    // These blocks have no slots, so no generation was used up; also true after they have ended.
    private static bool IsOfRecords(SlabEntry entry) => entry.Class is SizeClasses.LogIndex or SizeClasses.PageIndex;

    private void EndEntries(long head, long blocks)
    {
        _table.Barrier.BeforeChange(head, head + blocks - 1);
        for (var block = head; block < head + blocks; block++)
            _table.SetEntry(block, _table.Entry(block).Freed());
    }
}
