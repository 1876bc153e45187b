using Cluster.Pile.Layout;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Views;

/// <summary>Pins objects against change. The first pin is only a state in the header; from the second on, the header
/// says shared and a side table counts. The table has stripes by object, each with its own lock, so that threads with
/// different objects rarely wait for each other. Called inside an operation, or for pinned objects while no operation
/// can dispose of the pile.</summary>
internal sealed class PinTable(SlotSpace space)
{
    private const int StripeCount = 64;
    private const ulong Spread = 0x9E3779B97F4A7C15;

    private readonly SlotSpace _space = space;
    private readonly PinStripe[] _stripes = [.. Enumerable.Range(0, StripeCount).Select(_ => new PinStripe(space))];

    /// <summary>The threads that wait until no object is pinned.</summary>
    public PinWaiters WaitersForAll { get; } = new();

    /// <summary>The waiters of an object.</summary>
    public PinWaiters WaitersFor(PilePointer pointer) => StripeOf(pointer.Granule).Waiters;

    /// <summary>Pins an object. False: the pointer names none, or the object has a lasting lock. Waits while a change
    /// is in progress.</summary>
    public bool TryPin(PilePointer pointer, out SlotPlace place, out SlotHeader header)
    {
        header = default;
        var spin = default(SpinWait);
        for (var looks = 0; _space.TryResolve(pointer, out place); looks++)
        {
            header = _space.Header(place);
            if (!header.Matches(pointer) || !header.IsObject)
                return false;
            if (header.State == SlotState.Busy && looks >= SlotDamage.LooksMax)
                return false;
            if (header.State == SlotState.Busy)
                spin.SpinOnce(sleep1Threshold: -1);
            else if (header.IsPinned ? StripeOf(place.Granule).TryShare(place, header) : TryPinFirst(place, header))
                return true;
        }

        return false;
    }

    /// <summary>Releases a pin; the caller calls <see cref="Wake"/> after the operation.</summary>
    public void Unpin(PilePointer pointer)
    {
        var found = _space.TryResolve(pointer, out var place);
        Invariant.Holds(found, "A pinned object keeps its slab.");
        while (true)
        {
            var header = _space.Header(place);
            Invariant.Holds(header.Matches(pointer) && header.IsPinned, "An object under a view is pinned.");
            if (header.State == SlotState.Shared && StripeOf(place.Granule).TryUnshare(place))
                return;
            if (header.State == SlotState.Pinned && _space.TrySetState(place, header, SlotState.Live))
                return;
        }
    }

    /// <summary>Wakes the threads that wait for the object.</summary>
    public void Wake(PilePointer pointer)
    {
        WaitersFor(pointer).Wake();
        WaitersForAll.Wake();
    }

    /// <summary>Whether the pointer names a pinned object at this moment; safe outside of operations, too.</summary>
    public bool IsPinned(PilePointer pointer) =>
        _space.TryResolve(pointer, out var place) && _space.Header(place) is { IsPinned: true } header
            && header.Matches(pointer);

    /// <summary>Lets all waiters look again.</summary>
    public void WakeAll()
    {
        foreach (var stripe in _stripes)
            stripe.Waiters.Wake();
        WaitersForAll.Wake();
    }

    private bool TryPinFirst(in SlotPlace place, SlotHeader header) =>
        _space.TrySetState(place, header, SlotState.Pinned);

    private PinStripe StripeOf(long granule) =>
        _stripes[(int)(((ulong)granule * Spread) >> 32) & (StripeCount - 1)];
}
