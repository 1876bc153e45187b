using Cluster.Pile.Layout;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Mapped.Intents;

/// <summary>Finishes the updates that were in progress when a process died. Used once, before any other use of the
/// pile. Stateless.</summary>
internal static class UnfinishedUpdates
{
    /// <summary>Brings each owner that is still locked as its intent says to its state after the update. False, with
    /// the granule: the new value is not where the intent says.</summary>
    public static bool TryFinish(UpdateIntents intents, SlotSpace space, out long damaged)
    {
        foreach (var intent in intents.Unfinished())
        {
            damaged = intent.Granule;
            var isThere = space.TryResolve(new PilePointer(0, intent.Granule), out var owner);
            if (!isThere || space.Header(owner) != intent.Locked)
                continue;
            if (!TryFinish(intent, space, owner))
                return false;
        }

        damaged = 0;
        return true;
    }

    private static bool TryFinish(in UpdateIntent intent, SlotSpace space, in SlotPlace owner)
    {
        if (!space.TryResolve(intent.Spare, out var spare))
            return false;
        var header = space.Header(spare);
        var isWhole = space.TryDescribe(spare, header, out var payload);
        isWhole &= header.Matches(intent.Spare) && header.State == SlotState.Marked;
        if (!isWhole || intent.Next.Generation != intent.Locked.Generation)
            return false;
        if (intent.Next.Kind == PayloadKind.Link)
            space.SetLink(owner, intent.Spare);
        else if (header.Kind != intent.Next.Kind || !space.TryCopyContent(spare, payload, owner))
            return false;
        space.SetHeader(owner, intent.Next);
        return true;
    }
}
