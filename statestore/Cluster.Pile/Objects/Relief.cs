using Cluster.Pile.Expiry;
using Cluster.Pile.Mapped;
using Cluster.Pile.Slots;
using Cluster.Pile.Tables.Eviction;

namespace Cluster.Pile.Objects;

/// <summary>What is done about memory beside single objects: room made before the pile says that it is full, ended
/// slabs taken back, life spans watched. Owned by one pile; what it calls protects itself. Never called inside an
/// operation.</summary>
internal sealed class Relief(
    SlotAllocator allocator, ExpirySchedule expiry, RecordUpkeep upkeep, long budgetBytes, MappedFolder? folder)
{
    private readonly SlotAllocator _allocator = allocator;
    private readonly ExpirySchedule _expiry = expiry;
    private readonly RecordUpkeep _upkeep = upkeep;
    private readonly long _budgetBytes = budgetBytes;
    private readonly MappedFolder? _folder = folder;

    /// <summary>Removes what has outlived its span, collects what threads keep, then lets tables evict until so many
    /// bytes have a place, and at last gives up a snapshot that is under way.</summary>
    public void MakeRoom(long neededBytes)
    {
        _expiry.SweepAll();
        _upkeep.Expire();
        _allocator.Relieve();

        // What no pile of this size holds must not cost the tables all they have.
        if (neededBytes > _budgetBytes)
            return;
        while (!_allocator.HasRoom(neededBytes) && _upkeep.TryGiveUp())
            _allocator.Reclaim();
        if (!_allocator.HasRoom(neededBytes))
            _allocator.GiveUpSnapshot();
    }

    /// <summary>The deadline that hints ask for, zero for none.</summary>
    public uint DeadlineOf(PutHints hints) =>
        hints.LifeSpanTicks > 0 ? _expiry.Clock.DeadlineAfter(hints.LifeSpanTicks) : 0;

    /// <summary>The exception for an operation that found no room after all.</summary>
    public PileFullException Full(long neededBytes) =>
        _folder is { Source.IsRefused: true }
            ? new PileFullException(_budgetBytes, neededBytes, _folder.Path)
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
