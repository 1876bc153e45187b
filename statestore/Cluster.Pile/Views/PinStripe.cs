using Cluster.Pile.Layout;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Views;

/// <summary>One part of the side table of pins: how many views lie on those of its objects that have more than one.
/// Only here does a header become shared or cease to be; header and count are guarded together by the lock.</summary>
internal sealed class PinStripe(SlotSpace space)
{
    private readonly Lock _gate = new();
    private readonly SlotSpace _space = space;
    private readonly Dictionary<long, int> _counts = [];

    /// <summary>Who waits for an object of this part.</summary>
    public PinWaiters Waiters { get; } = new();

    /// <summary>Adds a pin to a pinned object; false when it is no longer as it was seen.</summary>
    public bool TryShare(in SlotPlace place, SlotHeader seen)
    {
        lock (_gate)
        {
            var header = _space.Header(place);
            if (!header.IsPinned || !header.IsSameVersion(seen))
                return false;
            if (header.State == SlotState.Shared)
            {
                if (!_counts.TryGetValue(place.Granule, out var count))
                    throw _space.Damage.Of(place.Granule, "an object is under views, and there are none.");
                _counts[place.Granule] = count + 1;
                return true;
            }

            // Counted first: the table may run out of memory, and then the header is as it was.
            _counts.Add(place.Granule, 2);
            if (_space.TrySetState(place, header, SlotState.Shared))
                return true;
            _counts.Remove(place.Granule);
            return false;
        }
    }

    /// <summary>Gives back one pin of a shared object; false when it is not shared any more.</summary>
    public bool TryUnshare(in SlotPlace place)
    {
        lock (_gate)
        {
            var header = _space.Header(place);
            if (header.State != SlotState.Shared)
                return false;
            if (--_counts[place.Granule] > 1)
                return true;
            _counts.Remove(place.Granule);
            _space.SetState(place, header, SlotState.Pinned);
            return true;
        }
    }
}
