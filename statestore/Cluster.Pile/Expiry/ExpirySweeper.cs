using Cluster.Pile.Layout;
using Cluster.Pile.Objects;
using Cluster.Pile.Slabs;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Expiry;

/// <summary>Removes expired objects, block by block. The lock of its owner, <see cref="ExpirySchedule"/>, guards its
/// position; each step is one operation of the pile.</summary>
internal sealed class ExpirySweeper(
    SlotSpace space, SlabArena arena, SlotAllocator allocator, DeadlineBook deadlines, ObjectWriter writer)
{
    private const int BlocksLookedAtMax = 4096;

    private readonly SlotSpace _space = space;
    private readonly SlabArena _arena = arena;
    private readonly DeadlineBook _deadlines = deadlines;
    private readonly ObjectWriter _writer = writer;
    private readonly SlotAllocator _allocator = allocator;
    private long _nextBlock = 1;

    private static DeadlineSteps Steps => DeadlineSteps.OfObjects;

    /// <summary>Whether a pass has begun and not ended yet.</summary>
    public bool IsUnderWay => _nextBlock > 1;

    /// <summary>Continues the pass, or begins one, up to the first block that may hold expired objects, and sweeps that
    /// block. False: there was none up to the end. Looks at a bounded number of blocks.</summary>
    public bool Step(ThreadCache cache)
    {
        if (!IsUnderWay)
            _deadlines.ForgetEarliest();
        var now = _deadlines.Clock.Now;
        var end = Math.Min(_arena.Frontier + 1, _nextBlock + BlocksLookedAtMax);
        while (_nextBlock < end)
        {
            var block = _nextBlock++;
            var deadline = _deadlines.EarliestIn(block);
            if (deadline == 0)
                continue;
            if (Steps.Until(deadline, now) > 0)
            {
                _deadlines.NoteEarliest(deadline, now);
                continue;
            }

            _deadlines.Forget(block);
            Sweep(cache, block, now);
            _allocator.Drain(cache);
            return true;
        }

        if (_nextBlock <= _arena.Frontier)
            return true;
        _nextBlock = 1;
        return false;
    }

    private void Sweep(ThreadCache cache, long block, uint now)
    {
        var granule = _space.FirstSlotIn(block);
        while (SlabTable.BlockOf(granule) == block && _space.TryResolve(new PilePointer(0, granule), out var place))
        {
            var header = _space.Header(place);
            var mayHaveDeadline = header.Kind is PayloadKind.Link or PayloadKind.Extended;
            if (mayHaveDeadline && header.State is not (SlotState.Free or SlotState.Marked or SlotState.Retired))
                Sweep(cache, place, header, now);
            granule += place.Bytes / PilePointer.GranuleBytes;
        }
    }

    // A thread that changes an object at this moment may leave its deadline unchanged, so the block is visited again.
    private void Sweep(ThreadCache cache, in SlotPlace place, SlotHeader header, uint now)
    {
        var deadline = DeadlineOf(place, header) ?? Steps.Next(now);
        if (deadline == 0)
            return;
        if (Steps.Until(deadline, now) > 0)
            _deadlines.Note(place.Granule, deadline);
        else if (!_writer.TryExpire(cache, place, header))
            _deadlines.Note(place.Granule, Steps.Next(now));
    }

    // Null: the object changes at this moment. An object under a view has its deadline, but is not removed.
    private uint? DeadlineOf(in SlotPlace owner, SlotHeader header)
    {
        if (!header.IsReadable || !_space.TryFindBody(owner, header, out var body, out var bodyHeader))
            return null;
        var deadline = _space.Deadline(body, bodyHeader);
        Volatile.ReadBarrier();
        return _space.IsSameVersion(owner, header) && _space.IsSameVersion(body, bodyHeader) ? deadline : null;
    }
}
