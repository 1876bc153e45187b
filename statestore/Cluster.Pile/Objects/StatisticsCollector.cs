using Cluster.Pile.Memory;
using Cluster.Pile.Slabs;
using Cluster.Pile.Slots;
using Cluster.Pile.Threads;

namespace Cluster.Pile.Objects;

/// <summary>
/// Adds up the counters of threads, size classes and arena. Stateless; takes each lock briefly, one after the other.
/// </summary>
internal sealed class StatisticsCollector
{
    private readonly SlabArena _arena;
    private readonly SlotAllocator _allocator;
    private readonly ThreadCacheRegistry _registry;

    public StatisticsCollector(
        SlabArena arena,
        SlotAllocator allocator,
        ThreadCacheRegistry registry)
    {
        _arena = arena;
        _allocator = allocator;
        _registry = registry;
    }

    public PileStatistics Collect(long budgetBytes)
    {
        var classes = CollectClasses();
        var freeSlotBytes = classes.Sum(c => c.FreeSlots * c.SlotBytes);
        var slabBlocks = classes.Sum(c => c.ReservedBytes) / BlockLayout.BlockBytes;
        var runBlocks = _registry.Sum(cache => cache.RunBlocks);
        var bufferBlocks = _arena.BufferBlocks;
        var segments = _arena.CountSegments();
        var residentBlocks = segments.ResidentBlocks;
        var vacantBlocks = Math.Max(0, residentBlocks - slabBlocks - runBlocks - bufferBlocks - _arena.RetiredBlocks);

        var reserved = residentBlocks * (BlockLayout.BlockBytes + BlockLayout.BookkeepingBytesPerBlock);
        var live = _registry.Sum(cache => cache.LiveBytes);
        var free = freeSlotBytes + (vacantBlocks * BlockLayout.BlockBytes);
        return new PileStatistics
        {
            Objects = _registry.Sum(cache => cache.Objects),
            Links = _registry.Sum(cache => cache.Links),
            LargeObjects = _registry.Sum(cache => cache.Runs),
            LiveBytes = live,
            FreeBytes = free,
            ReservedBytes = reserved,
            BufferBytes = bufferBlocks * BlockLayout.BlockBytes,
            OverheadBytes = reserved - live - free - (bufferBlocks * BlockLayout.BlockBytes),
            BudgetBytes = budgetBytes,
            SegmentsInUse = segments.InUse,
            SegmentsReady = segments.Ready,
            SegmentsGivenBack = segments.GivenBack,
            SizeClasses = classes,
        };
    }

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
