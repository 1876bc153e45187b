using Cluster.Pile.Context;
using Cluster.Pile.Layout;
using Cluster.Pile.Slabs;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Rebuild;

/// <summary>Matches the owners of linked bodies with their bodies during a rebuild: an owner without a body is freed,
/// and so is a body without an owner. Meanwhile the bit of a body in the bitmap says that its owner was found. Owned by
/// one rebuild.</summary>
internal sealed class BodyClaims(PileContext pile, RebuildRules rules, RebuildTally tally, SlotRebuild slots)
{
    private readonly PileContext _pile = pile;
    private readonly RebuildRules _rules = rules;
    private readonly RebuildTally _tally = tally;
    private readonly SlotRebuild _slots = slots;
    private readonly HashSet<long> _claimedRuns = [];

    public void Settle()
    {
        foreach (var block in _tally.BlocksWithOwners)
        {
            var slots = new BlockSlots(_pile, block);
            for (var slot = slots.First; slot < slots.End; slot++)
                SettleOwner(slots.PlaceOf(slot), block);
        }

        foreach (var block in _tally.BlocksWithBodies)
        {
            var slots = new BlockSlots(_pile, block);
            for (var slot = slots.First; slot < slots.End; slot++)
                SettleBody(slots.PlaceOf(slot));
        }
    }

    private void SettleOwner(in SlotPlace owner, long block)
    {
        var header = _pile.Space.Header(owner);
        if (header.State != SlotState.Live || header.Kind != PayloadKind.Link)
            return;
        var found = _pile.Space.TryFindBody(owner, header, out var body, out var bodyHeader);
        found &= _pile.Space.TryDescribe(body, bodyHeader, out var payload) && payload.Kind < PayloadKind.Link;
        if (!found || !TryClaim(body))
        {
            _rules.Damaged(block, $"The link at granule {owner.Granule:x} leads to no body of its own.");
            _slots.Free(owner);
            return;
        }

        var deadline = _pile.Space.Deadline(body, bodyHeader);
        if (deadline != 0 && _rules.IsPast(deadline))
        {
            Disclaim(body);
            _slots.Free(owner);
            return;
        }

        _tally.Objects++;
        _tally.Links++;
        _tally.LiveBytes += payload.Length;
        if (deadline != 0)
            _pile.Deadlines.Note(owner.Granule, deadline);
    }

    private void SettleBody(in SlotPlace body)
    {
        if (_pile.Space.Header(body).State != SlotState.Marked)
            return;
        if (IsClaimed(body))
            Disclaim(body);
        else
            _slots.Free(body);
    }

    private bool TryClaim(in SlotPlace body)
    {
        if (IsClaimed(body))
            return false;
        if (body.Entry.State == SlabState.Slots)
            _pile.Bitmap.Set(HeadOf(body), BlockSlots.IndexOf(body));
        else
            _claimedRuns.Add(body.Granule);
        return true;
    }

    private bool IsClaimed(in SlotPlace body) =>
        body.Entry.State == SlabState.Slots
            ? _pile.Bitmap.IsSet(HeadOf(body), BlockSlots.IndexOf(body))
            : _claimedRuns.Contains(body.Granule);

    private void Disclaim(in SlotPlace body)
    {
        if (body.Entry.State == SlabState.Slots)
            _pile.Bitmap.Clear(HeadOf(body), BlockSlots.IndexOf(body));
        else
            _claimedRuns.Remove(body.Granule);
    }

    private static long HeadOf(in SlotPlace place) => SlabTable.BlockOf(place.Granule) - place.Entry.Position;
}
