using Cluster.Pile.Layout;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Views;

/// <summary>One part of the side table of pins, with the number of views for each object that has more than one. Only
/// this class makes a header shared or unshared. The lock guards header and count together.</summary>
internal sealed class PinStripe(SlotSpace space)
{
    private readonly Lock _gate = new();
    private readonly SlotSpace _space = space;
    private readonly Dictionary<long, int> _counts = [];

    /// <summary>The threads that wait for objects of this stripe.</summary>
    public PinWaiters Waiters { get; } = new();

    /// <summary>Adds a pin to a pinned object. False: the header has changed since it was seen.</summary>
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

            // Counted first: the table may run out of memory, and then the header must be unchanged.
            _counts.Add(place.Granule, 2);
            if (_space.TrySetState(place, header, SlotState.Shared))
                return true;
            _counts.Remove(place.Granule);
            return false;
        }
    }

    /// <summary>Releases one pin of a shared object. False: it is not shared any more.</summary>
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
