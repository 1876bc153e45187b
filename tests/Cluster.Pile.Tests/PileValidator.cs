using Cluster.Pile.Layout;
using Cluster.Pile.Slabs;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Tests;

/// <summary>Walks over all structures of a pile that nobody else uses just now, and compares them with each other: slab
/// entries, bitmaps, lists of slabs, magazines, headers, links, the map of blocks, all counters, and the enumeration.
/// It builds its own view from the memory alone. Used once.</summary>
internal sealed class PileValidator
{
    private static readonly TimeSpan GivingBackMax = TimeSpan.FromSeconds(30);

    private readonly LocalPile _pile;
    private readonly SlotAllocator _allocator;
    private readonly ThreadCacheRegistry _registry;
    private readonly SlabArena _arena;
    private readonly GenerationMask _mask;
    private readonly SlabTable _table;
    private readonly SlotBitmap _bitmap;
    private readonly HashSet<long> _inMagazines = [];
    private readonly HashSet<PilePointer> _owners = [];
    private readonly HashSet<PilePointer> _bodies = [];
    private readonly List<PilePointer> _links = [];
    private readonly ClassTally[] _classes = new ClassTally[SizeClasses.Count];
    private long _runs;
    private long _runBlocks;
    private long _slabBlocks;
    private long _segmentBlocks;

    private PileValidator(LocalPile pile)
    {
        _pile = pile;
        _allocator = pile.Context.Allocator;
        _registry = pile.Context.Registry;
        _arena = pile.Context.Arena;
        _mask = MaskOf(_arena);
        _table = new SlabTable(pile.Window, pile.Layout);
        _bitmap = new SlotBitmap(pile.Window, pile.Layout);
        for (var i = 0; i < _classes.Length; i++)
            _classes[i] = new ClassTally();
    }

    /// <summary>Throws when structures disagree; gives all pointers that the pile holds valid.</summary>
    public static HashSet<PilePointer> Check(LocalPile pile)
    {
        var validator = new PileValidator(pile);
        validator.CheckMagazines();
        validator.CheckBlocks();
        validator.CheckClasses();
        validator.CheckLinks();
        validator.CheckEnumeration();
        validator.CheckCounters();
        return validator._owners;
    }

    private void CheckMagazines()
    {
        for (var index = 0; index < SizeClasses.Count; index++)
        {
            var at = index;
            _registry.Sum(cache =>
            {
                foreach (var slot in Content(ref cache.MagazineOf(at)))
                {
                    var granule = slot.Granule;
                    var header = HeaderAt(granule);
                    if (!header.Matches(slot))
                        Assert.Fail($"Slot {slot} is in a magazine, and its header has another generation: {header}.");
                    if (!_inMagazines.Add(granule))
                        Assert.Fail($"Granule {granule:x} is in two magazines.");
                    var entry = _table.Entry(SlabTable.BlockOf(granule));
                    if (entry.State != SlabState.Slots || entry.Class != at)
                        Assert.Fail($"Granule {granule:x} of class {at} lies in {entry}.");
                    _classes[at].InMagazines++;
                }

                return 0;
            });
        }
    }

    private void CheckBlocks()
    {
        for (long block = 1; block <= _arena.Frontier;)
        {
            var entry = _table.Entry(block);
            block += entry.State switch
            {
                SlabState.Slots => CheckSlab(block, entry),
                SlabState.RunHead => CheckRun(block),
                SlabState.SegmentHead => CheckSegment(block, entry),
                SlabState.Vacant or SlabState.Freed => 1,
                _ => throw new InvalidOperationException($"Block {block} is the rest of no run."),
            };
        }

        // The background thread may just be giving a segment back, which counts as taken meanwhile.
        var known = _slabBlocks + _runBlocks + _arena.FreedBlocks + _arena.RetiredBlocks + _arena.BufferBlocks
            + _segmentBlocks;
        SpinWait.SpinUntil(() => TakenBlocks() == known, GivingBackMax);
        Assert.Equal(known, TakenBlocks());
        Assert.Equal(_segmentBlocks, _arena.RecordBlocks);
    }

    // RecordValidator checks their content.
    private long CheckSegment(long head, SlabEntry entry)
    {
        var blocks = _table.Count(head);
        for (var block = head + 1; block < head + blocks; block++)
        {
            Assert.Equal((SlabState.SegmentTail, entry.Class), (_table.Entry(block).State, _table.Entry(block).Class));
            Assert.Equal(head, _table.Count(block));
        }

        _segmentBlocks += blocks;
        return blocks;
    }

    private long TakenBlocks() => _pile.Layout.BlockCount - MapOf(_arena).VacantCount;

    private long CheckSlab(long head, SlabEntry entry)
    {
        ref readonly var sizeClass = ref SizeClasses.At(entry.Class);
        var tally = _classes[entry.Class];
        var slots = sizeClass.SlotsIn(entry.Blocks);
        for (var position = 0; position < entry.Blocks; position++)
        {
            var part = _table.Entry(head + position);
            Assert.Equal(
                (SlabState.Slots, entry.Class, position, entry.Blocks),
                (part.State, part.Class, part.Position, part.Blocks));
            CheckTaken(head + position);
        }

        long free = 0;
        for (var slot = 0; slot < slots; slot++)
        {
            var granule = (head << BlockLayout.GranulesPerBlockShift) + ((long)slot * sizeClass.SlotGranules);
            if (_bitmap.IsSet(head, slot))
                free++;
            CheckSlot(granule, _bitmap.IsSet(head, slot), tally);
        }

        Assert.Equal(free, _table.Count(head));
        tally.AddSlab(head, slots, free, entry.Blocks);
        _slabBlocks += entry.Blocks;
        return entry.Blocks;
    }

    // A slot is in one place only: free in the bitmap, free in a magazine, retired, or in use.
    private void CheckSlot(long granule, bool isInBitmap, ClassTally tally)
    {
        var header = HeaderAt(granule);
        var isInMagazine = _inMagazines.Contains(granule);
        if (isInBitmap && isInMagazine)
            Assert.Fail($"Granule {granule:x} is free twice.");
        if ((isInBitmap || isInMagazine) != (header.State == SlotState.Free))
            Assert.Fail($"Granule {granule:x} is {header.State}, and the slabs and magazines say otherwise.");
        CheckGeneration(granule, header);
        if (header.State == SlotState.Retired)
            tally.Retired++;
        else
            AddObject(granule, header);
    }

    private long CheckRun(long head)
    {
        var blocks = _table.Count(head);
        for (var block = head; block < head + blocks; block++)
        {
            Assert.Equal(block == head ? SlabState.RunHead : SlabState.RunTail, _table.Entry(block).State);
            CheckTaken(block);
        }

        var granule = head << BlockLayout.GranulesPerBlockShift;
        var header = HeaderAt(granule);
        Assert.True(header.State is SlotState.Live or SlotState.Marked, $"A run is {header.State}.");
        CheckGeneration(granule, header);
        AddObject(granule, header);
        _runs++;
        _runBlocks += blocks;
        return blocks;
    }

    private void CheckTaken(long block)
    {
        if (MapOf(_arena).IsVacant(block))
            Assert.Fail($"Block {block} is in use and vacant.");
    }

    private void CheckGeneration(long granule, SlotHeader header)
    {
        // What lives since before a restore has a generation of before.
        if (_pile.Context.Space.HasFloors && header.State != SlotState.Free)
            return;
        var counter = _mask.ToCounter(header.Generation, granule);
        if (counter < _table.HighWater(SlabTable.BlockOf(granule)) || counter > GenerationMask.CounterMax)
            Assert.Fail($"Granule {granule:x} has generation {counter}, which an earlier life of its block had.");
    }

    private void AddObject(long granule, SlotHeader header)
    {
        if (header.State is SlotState.Busy or SlotState.Pinned)
            Assert.Fail($"Granule {granule:x} is {header.State} though nothing runs.");
        var pointer = new PilePointer(header.Generation, granule);
        if (header.State == SlotState.Marked)
            _bodies.Add(pointer);
        if (!header.IsObject)
            return;
        _owners.Add(pointer);
        if (header.Kind == PayloadKind.Link)
            _links.Add(PilePointer.FromUInt64(_pile.Window.ReadWord(OffsetOf(granule) + SlotHeader.Bytes)));
    }

    private void CheckClasses()
    {
        for (var index = 0; index < _classes.Length; index++)
        {
            var heap = _allocator.Heaps[index];
            var counts = heap.Count();
            var tally = _classes[index];
            Assert.Equal(
                (tally.Slots, tally.Free, tally.Retired, tally.Blocks),
                (counts.Slots, counts.FreeSlots, counts.RetiredSlots, counts.OwnedBlocks));
            CheckLists(ListsOf(heap), tally);
        }
    }

    // From each head along the links: every slab with free slots is met once, in the list for its fill.
    private void CheckLists(SlabLists lists, ClassTally tally)
    {
        var met = new HashSet<long>();
        for (var list = 1; list < HeadsOf(lists).Length; list++)
        {
            long last = 0;
            for (var head = HeadsOf(lists)[list]; head != 0; head = _table.Links(head).Next)
            {
                Assert.True(met.Add(head), "A list of slabs runs in a circle.");
                Assert.Equal((list, last), (_table.List(head), _table.Links(head).Previous));
                var (free, slots) = tally.Slabs[head];
                Assert.InRange(free, ((list - 1) * slots / 8) + 1, ((long)list * slots / 8) + 1);
                last = head;
            }

            Assert.Equal(last, TailsOf(lists)[list]);
        }

        Assert.Equal(tally.Slabs.Where(slab => slab.Value.Free > 0).Select(slab => slab.Key).ToHashSet(), met);
        Assert.DoesNotContain(tally.Slabs, slab => slab.Value.Free == 0 && _table.List(slab.Key) != 0);
    }

    private void CheckLinks()
    {
        Assert.Equal(_links.Count, _links.Distinct().Count());
        Assert.True(_bodies.SetEquals(_links), "Links and bodies are not the same.");
    }

    private void CheckEnumeration()
    {
        long bytes = 0;
        var met = new HashSet<PilePointer>();
        foreach (var found in _pile.Enumerate())
        {
            if (!met.Add(found.Pointer))
                Assert.Fail("The enumeration meets an object twice.");
            bytes += found.Length;
        }

        Assert.True(met.SetEquals(_owners), "The enumeration meets other objects.");
        Assert.Equal(bytes, _registry.Sum(cache => cache.LiveBytes));
    }

    private void CheckCounters()
    {
        Assert.Equal(_owners.Count, _registry.Sum(cache => cache.Objects));
        Assert.Equal(_links.Count, _registry.Sum(cache => cache.Links));
        Assert.Equal(_runs, _registry.Sum(cache => cache.Runs));
        Assert.Equal(_runBlocks, _registry.Sum(cache => cache.RunBlocks));
        Assert.Equal(_inMagazines.Count, _classes.Sum(tally => tally.InMagazines));
        PileChecks.CountersAgree(_pile);
    }

    private SlotHeader HeaderAt(long granule) => new(_pile.Window.ReadWord(OffsetOf(granule)));

    private long OffsetOf(long granule) => _pile.Layout.OriginOffset + (granule * PilePointer.GranuleBytes);

    private static List<PilePointer> Content(ref Magazine magazine)
    {
        var ring = RingOf(ref magazine) ?? [];
        var slots = new List<PilePointer>();
        for (var i = 0; i < magazine.Count; i++)
            slots.Add(ring[(FirstOf(ref magazine) + i) & (ring.Length - 1)]);
        return slots;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_map")]
    private static extern ref BlockMap MapOf(SlabArena arena);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_mask")]
    private static extern ref GenerationMask MaskOf(SlabArena arena);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_lists")]
    private static extern ref SlabLists ListsOf(SizeClassHeap heap);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_heads")]
    private static extern ref long[] HeadsOf(SlabLists lists);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_tails")]
    private static extern ref long[] TailsOf(SlabLists lists);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_ring")]
    private static extern ref PilePointer[]? RingOf(ref Magazine magazine);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_first")]
    private static extern ref int FirstOf(ref Magazine magazine);

    /// <summary>What the slabs of one size class add up to.</summary>
    private sealed class ClassTally
    {
        public Dictionary<long, (long Free, int Slots)> Slabs { get; } = [];

        public long Slots { get; private set; }

        public long Free { get; private set; }

        public long Blocks { get; private set; }

        public long Retired { get; set; }

        public long InMagazines { get; set; }

        public void AddSlab(long head, int slots, long free, int blocks)
        {
            Slabs.Add(head, (free, slots));
            Slots += slots;
            Free += free;
            Blocks += blocks;
        }
    }
}
