using Cluster.Pile.Layout;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Objects;

/// <summary>Moves the bodies of linked objects out of sparse slabs into fuller ones, so that sparse slabs become empty.
/// Only the owner of a body knows its place, so no user's pointer changes. Stateless; every move is a separate
/// operation and locks the owner's header, as an update does.</summary>
internal sealed class BodyMover(SlotSpace space, SlotAllocator allocator, ThreadCacheRegistry registry)
{
    private readonly SlotSpace _space = space;
    private readonly SlotAllocator _allocator = allocator;
    private readonly ThreadCacheRegistry _registry = registry;

    /// <summary>Moves bodies in the blocks up to the given one; returns how many.</summary>
    public long MoveAll(long blockLast)
    {
        long moved = 0;
        var scan = new SlotScan(_space, blockLast);
        while (scan.MoveNext(out var granule, out var header))
        {
            if (header.Kind == PayloadKind.Link && Move(new PilePointer(header.Generation, granule)))
                moved++;
        }

        return moved;
    }

    private bool Move(PilePointer pointer)
    {
        using var operation = _registry.Begin();
        return TryFindBody(pointer, out var owner, out var header, out var body)
            && TryMove(owner, header, body);
    }

    private bool TryFindBody(PilePointer pointer, out SlotPlace owner, out SlotHeader header, out SlotPlace body)
    {
        (header, body) = (default, default);
        if (!_space.TryResolve(pointer, out owner))
            return false;
        header = _space.Header(owner);
        return header.Matches(pointer) && header.State == SlotState.Live && header.Kind == PayloadKind.Link
            && _space.TryResolve(_space.Link(owner), out body) && body.Entry.State == SlabState.Slots;
    }

    // An object that another thread uses is not moved: there are others, and the next compaction.
    private bool TryMove(in SlotPlace owner, SlotHeader header, in SlotPlace body)
    {
        var granule = _allocator.TakeFuller(body);
        if (granule == 0)
            return false;
        var target = _space.PlaceOf(granule);
        if (!_space.TryLock(owner, header))
        {
            _allocator.FreeToSlab(target, SlotState.Free);
            return false;
        }

        // The same header may belong to a later body, after as many updates as there are versions.
        var bodyHeader = _space.Header(body);
        var isSame = _space.Link(owner) == new PilePointer(bodyHeader.Generation, body.Granule);
        if (!isSame || !_space.TryCopy(body, bodyHeader, target, out var targetHeader))
        {
            _space.SetHeader(owner, header);
            _allocator.FreeToSlab(target, SlotState.Free);
            return false;
        }

        _space.SetHeader(target, targetHeader);
        _space.SetLink(owner, new PilePointer(targetHeader.Generation, granule));
        _space.SetHeader(owner, _space.NextVersion(owner, header));
        var freed = _space.NextLife(body, bodyHeader);
        _space.SetHeader(body, freed);
        _allocator.FreeToSlab(body, freed.State);
        return true;
    }
}
