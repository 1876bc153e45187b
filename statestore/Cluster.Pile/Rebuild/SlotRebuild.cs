using Cluster.Pile.Context;
using Cluster.Pile.Expiry;
using Cluster.Pile.Layout;
using Cluster.Pile.Slabs;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Rebuild;

/// <summary>Brings the slots of each block into the form that they have between operations: whole objects are live, all
/// other slots are free and in the bitmap, and counters are raised. <see cref="BodyClaims"/> handles the bodies of
/// links. Owned by one rebuild; no other thread may use the pile.</summary>
internal sealed class SlotRebuild(PileContext pile, RebuildRules rules, RebuildTally tally)
{
    private readonly PileContext _pile = pile;
    private readonly RebuildRules _rules = rules;
    private readonly RebuildTally _tally = tally;

    /// <summary>Settles all slots that begin in a block of a slab. The slab's entry is in the table.</summary>
    public void Visit(long block)
    {
        var slots = new BlockSlots(_pile, block);
        var floor = RaiseCounters(block, HighestCounter(slots) + 1);
        var found = new Found();
        for (var slot = slots.First; slot < slots.End; slot++)
            Settle(slots.PlaceOf(slot), floor, ref found);
        if (found.HasOwners)
            _tally.BlocksWithOwners.Add(block);
        if (found.HasBodies)
            _tally.BlocksWithBodies.Add(block);
        var head = block - slots.Entry.Position;
        _pile.Table.SetCount(head, _pile.Table.Count(head) + found.Free);
        if (found.Deadline != 0)
            _pile.Deadlines.Note(block << BlockLayout.GranulesPerBlockShift, found.Deadline);
    }

    /// <summary>Settles the one slot of a run. The run's entries and length are in the table.</summary>
    public void VisitRun(long head, long blocks)
    {
        var granule = head << BlockLayout.GranulesPerBlockShift;
        var found = _pile.Space.TryResolve(new PilePointer(0, granule), out var place);
        Invariant.Holds(found, "A run begins with a slot.");
        var counter = _pile.Mask.ToCounter(_pile.Space.Header(place).Generation, granule);
        var floor = RaiseCounters(head, counter + 1);
        for (var block = head + 1; block < head + blocks; block++)
            RaiseCounters(block, 0);
        var result = new Found();
        Settle(place, floor, ref result);
        if (result.HasOwners)
            _tally.BlocksWithOwners.Add(head);
        if (result.HasBodies)
            _tally.BlocksWithBodies.Add(head);
        if (result.Deadline != 0)
            _pile.Deadlines.Note(granule, result.Deadline);
    }

    /// <summary>Raises the high water of a block whose slab or run has ended above the counters of its slots.</summary>
    public void NoteFreed(long block)
    {
        var above = HighestCounter(new BlockSlots(_pile, block)) + 1;
        _pile.Table.SetHighWater(block, Math.Max(_pile.Table.HighWater(block), above));
    }

    /// <summary>Frees the object or body in a slot, in whatever state the slot is.</summary>
    public void Free(in SlotPlace place)
    {
        var next = _pile.Space.NextLife(place, _pile.Space.Header(place));
        _pile.Space.SetHeader(place, next);
        if (place.Entry.State != SlabState.Slots)
            return;
        var head = HeadOf(place);
        if (next.State == SlotState.Retired)
        {
            _tally.AddRetired(head);
            return;
        }

        _pile.Bitmap.Set(head, BlockSlots.IndexOf(place));
        _pile.Table.SetCount(head, _pile.Table.Count(head) + 1);
    }

    // Raises the high water of a block in use, which is the lower bound of the counters of its slots, and clears its
    // deadline.
    private uint RaiseCounters(long block, uint above)
    {
        var water = _pile.Table.HighWater(block);
        var floor = _rules.Margin == 0 ? water : Math.Max(above, water) + _rules.Margin;
        _pile.Table.SetHighWater(block, floor);
        return floor;
    }

    private uint HighestCounter(in BlockSlots slots)
    {
        uint highest = 0;
        for (var slot = slots.First; slot < slots.End; slot++)
        {
            var place = slots.PlaceOf(slot);
            highest = Math.Max(highest, _pile.Mask.ToCounter(_pile.Space.Header(place).Generation, place.Granule));
        }

        return highest;
    }

    private void Settle(in SlotPlace place, uint floor, ref Found found)
    {
        var header = _pile.Space.Header(place);
        if (header.IsPlainAndLive && header.Length <= place.Bytes - SlotHeader.Bytes)
        {
            _tally.Objects++;
            _tally.LiveBytes += header.Length;
            return;
        }

        switch (header.State)
        {
            case SlotState.Free:
                SettleFree(place, header, floor, ref found);
                break;
            case SlotState.Retired:
                _tally.AddRetired(HeadOf(place));
                break;
            case SlotState.Marked:
                found.HasBodies = true;
                break;
            case SlotState.Live or SlotState.Pinned or SlotState.Shared:
                SettleObject(place, header, floor, ref found);
                break;
            case SlotState.Busy when _rules.BusyIsWhole:
                SettleObject(place, header, floor, ref found);
                break;
            case SlotState.Busy:
                EndObject(place, header, floor, ref found);
                break;
            default:
                _rules.Damaged(SlabTable.BlockOf(place.Granule), "A slot is in no state.");
                EndObject(place, header, floor, ref found);
                break;
        }
    }

    private void SettleObject(in SlotPlace place, SlotHeader header, uint floor, ref Found found)
    {
        if (header.Kind > PayloadKind.Extended || !_pile.Space.TryDescribe(place, header, out var payload)
            || payload.Kind > PayloadKind.Link)
        {
            _rules.Damaged(SlabTable.BlockOf(place.Granule), "An object exceeds its slot.");
            EndObject(place, header, floor, ref found);
            return;
        }

        if (header.State != SlotState.Live)
            _pile.Space.SetHeader(place, header.With(SlotState.Live));
        if (header.Kind == PayloadKind.Link)
        {
            found.HasOwners = true;
            return;
        }

        if (header.Kind == PayloadKind.Extended && _pile.Space.Deadline(place, header) is var deadline and not 0)
        {
            if (_rules.IsPast(deadline))
            {
                EndObject(place, header, floor, ref found);
                return;
            }

            found.AddDeadline(deadline, _pile.Deadlines.Clock.Now);
        }

        _tally.Objects++;
        _tally.LiveBytes += payload.Length;
    }

    private void EndObject(in SlotPlace place, SlotHeader header, uint floor, ref Found found)
    {
        var next = _pile.Space.NextLife(place, header);
        _pile.Space.SetHeader(place, next);
        if (next.State == SlotState.Retired)
            _tally.AddRetired(HeadOf(place));
        else
            SettleFree(place, next, floor, ref found);
    }

    private void SettleFree(in SlotPlace place, SlotHeader header, uint floor, ref Found found)
    {
        var counter = _pile.Mask.ToCounter(header.Generation, place.Granule);
        if (floor > GenerationMask.CounterMax)
        {
            _pile.Space.SetHeader(
                place, new SlotHeader(header.Generation, 0, 0, PayloadKind.Bytes, SlotState.Retired));
            _tally.AddRetired(HeadOf(place));
            return;
        }

        if (counter < floor)
        {
            var generation = _pile.Mask.ToGeneration(floor, place.Granule);
            _pile.Space.SetHeader(place, new SlotHeader(generation, 0, 0, PayloadKind.Bytes, SlotState.Free));
        }

        found.Free++;
        if (place.Entry.State == SlabState.Slots)
            _pile.Bitmap.Set(HeadOf(place), BlockSlots.IndexOf(place));
    }

    private static long HeadOf(in SlotPlace place) => SlabTable.BlockOf(place.Granule) - place.Entry.Position;

    /// <summary>The totals over the slots of one block. Mutable, owned by the method that declares it.</summary>
    private struct Found
    {
        public int Free;
        public bool HasOwners;
        public bool HasBodies;
        public uint Deadline;

        public void AddDeadline(uint deadline, uint now)
        {
            if (DeadlineSteps.OfObjects.IsBefore(deadline, Deadline, now))
                Deadline = deadline;
        }
    }
}
