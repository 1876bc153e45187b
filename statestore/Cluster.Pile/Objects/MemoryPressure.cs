using Cluster.Pile.Expiry;
using Cluster.Pile.Memory;
using Cluster.Pile.Slots;
using Cluster.Pile.Tables.Eviction;

namespace Cluster.Pile.Objects;

/// <summary>Memory work beyond single objects: makes room before the pile reports that it is full, reclaims freed
/// slabs, and watches deadlines. Owned by one pile; the objects that it calls protect themselves. Never called inside
/// an operation.</summary>
internal sealed class MemoryPressure(
    SlotAllocator allocator,
    ExpirySchedule expiry,
    RecordMaintenance maintenance,
    long budgetBytes,
    INativeMemorySource source)
{
    private readonly SlotAllocator _allocator = allocator;
    private readonly ExpirySchedule _expiry = expiry;
    private readonly RecordMaintenance _maintenance = maintenance;
    private readonly long _budgetBytes = budgetBytes;
    private readonly INativeMemorySource _source = source;

    /// <summary>Removes expired objects, collects the free slots of threads, then lets tables evict until the needed
    /// bytes have a place, and at last gives up a running snapshot.</summary>
    public void MakeRoom(long neededBytes)
    {
        _expiry.SweepAll();
        _maintenance.Expire();
        _allocator.Relieve();

        // A request that no pile of this size can hold must not cost the tables their records.
        if (neededBytes > _budgetBytes)
            return;
        while (!_allocator.HasRoom(neededBytes) && _maintenance.TryGiveUp())
            _allocator.Reclaim();
        if (!_allocator.HasRoom(neededBytes))
            _allocator.GiveUpSnapshot();
    }

    /// <summary>The deadline of a put with these hints; zero for none.</summary>
    public uint DeadlineOf(PutHints hints) =>
        hints.TimeToLiveTicks > 0 ? _expiry.Clock.DeadlineAfter(new TimeSpan(hints.TimeToLiveTicks)) : 0;

    /// <summary>The exception for an operation that found no room.</summary>
    public PileFullException Full(long neededBytes) =>
        _source.FullDisk is { } folder
            ? new PileFullException(_budgetBytes, neededBytes, folder)
            : new PileFullException(_budgetBytes, neededBytes);

    /// <summary>Called after every operation that may have freed a slab.</summary>
    public void ReclaimWhenWorthIt()
    {
        if (_allocator.ShouldReclaim)
            _allocator.Reclaim();
    }

    /// <summary>Called after every operation that gave an object a deadline.</summary>
    public void WatchDeadlines() => _expiry.Check();
}
