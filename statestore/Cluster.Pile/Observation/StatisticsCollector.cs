using Cluster.Pile.Layout;
using Cluster.Pile.Slabs;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Observation;

/// <summary>Adds up the counters of threads, size classes and arena. Has no counters of its own; takes each lock
/// briefly, one after the other.</summary>
internal sealed class StatisticsCollector(
    SlabArena arena,
    SlotAllocator allocator,
    ThreadCacheRegistry registry,
    ReadCounter reads,
    TimeProvider clock)
{
    private readonly SlabArena _arena = arena;
    private readonly SlotAllocator _allocator = allocator;
    private readonly ThreadCacheRegistry _registry = registry;
    private readonly ReadCounter _reads = reads;
    private readonly OperationRates _rates = new OperationRates(clock);

    public PileStatistics Collect() => _rates.AddTo(CollectTotals());

    /// <summary>All statistics except the rates, which depend on an earlier call.</summary>
    public PileStatistics CollectTotals()
    {
        var classes = CollectClasses();
        var freeSlotBytes = classes.Sum(c => c.FreeSlots * c.SlotBytes);
        var slabBlocks = classes.Sum(c => c.ReservedBytes) / BlockLayout.BlockBytes;
        var runBlocks = _registry.Sum(cache => cache.RunBlocks);
        var bufferBlocks = _arena.BufferBlocks;
        var recordBlocks = _arena.RecordBlocks;
        var segments = _arena.CountSegments();
        var residentBlocks = segments.ResidentBlocks;
        var usedBlocks = slabBlocks + runBlocks + bufferBlocks + recordBlocks + _arena.RetiredBlocks;
        var vacantBlocks = Math.Max(0, residentBlocks - usedBlocks);

        // Blocks that were prepared and never used have no bookkeeping yet: the memory of their rows is untouched.
        var keptBlocks = Math.Min(residentBlocks, _allocator.BlockLast);
        var reserved = (residentBlocks * BlockLayout.BlockBytes) + (keptBlocks * BlockLayout.BookkeepingBytesPerBlock);
        var live = _registry.Sum(cache => cache.LiveBytes);
        var free = freeSlotBytes + (vacantBlocks * BlockLayout.BlockBytes);
        return new PileStatistics
        {
            Objects = _registry.Sum(cache => cache.Objects),
            Links = _registry.Sum(cache => cache.Links),
            LargeObjects = _registry.Sum(cache => cache.Runs),
            OpenViews = _registry.Sum(cache => cache.Views.Count),
            LiveBytes = live,
            FreeBytes = free,
            ReservedBytes = reserved,
            BufferBytes = bufferBlocks * BlockLayout.BlockBytes,
            RecordBytes = recordBlocks * BlockLayout.BlockBytes,
            OverheadBytes = reserved - live - free - ((bufferBlocks + recordBlocks) * BlockLayout.BlockBytes),
            BudgetBytes = _arena.BudgetBytes,
            SegmentsInUse = segments.InUse,
            SegmentsReady = segments.Ready,
            SegmentsGivenBack = segments.GivenBack,
            Fragmentation = Fragmentation(freeSlotBytes, slabBlocks + runBlocks),
            Puts = _registry.Sum(cache => cache.Puts),
            Gets = _reads.Sum(),
            Deletes = _registry.Sum(cache => cache.Deletes),
            SizeClasses = classes,
        };
    }

    private static double Fragmentation(long freeSlotBytes, long blocks) =>
        blocks == 0 ? 0 : (double)freeSlotBytes / (blocks * BlockLayout.BlockBytes);

    private List<PileSizeClass> CollectClasses()
    {
        var classes = new List<PileSizeClass>();
        for (var index = 0; index < _allocator.Heaps.Count; index++)
        {
            var counts = _allocator.Heaps[index].Count();
            if (counts.Slots == 0)
                continue;
            var at = index;
            var inMagazines = _registry.Sum(cache => cache.MagazineOf(at).Count);
            classes.Add(new PileSizeClass(
                counts.SlotBytes,
                counts.Slots,
                counts.FreeSlots + inMagazines,
                counts.RetiredSlots,
                counts.OwnedBlocks * BlockLayout.BlockBytes));
        }

        return classes;
    }
}
