using Cluster.Pile.Layout;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Views;

/// <summary>Pins objects against change. The first pin is the state of the header alone; from the second on, the header
/// says shared and a side table counts. The table is in stripes by object, each with its own lock, so threads that look
/// at different objects do not meet. To be called inside an operation, or for objects that are pinned while no
/// operation can end the pile.</summary>
internal sealed class PinTable(SlotSpace space)
{
    private const int StripeCount = 64;
    private const ulong Spread = 0x9E3779B97F4A7C15;

    private readonly SlotSpace _space = space;
    private readonly PinStripe[] _stripes = [.. Enumerable.Range(0, StripeCount).Select(_ => new PinStripe(space))];

    /// <summary>Who waits until no object is pinned.</summary>
    public PinWaiters WaitersForAll { get; } = new();

    /// <summary>Where to wait for an object.</summary>
    public PinWaiters WaitersFor(PilePointer pointer) => StripeOf(pointer.Granule).Waiters;

    /// <summary>Pins an object; false when the pointer names none, or the header says that the object is locked and
    /// stays so. Waits while it is being changed.</summary>
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

    /// <summary>Gives a pin back; <see cref="Wake"/> is to follow, after the operation.</summary>
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

    /// <summary>Wakes those who wait for the object.</summary>
    public void Wake(PilePointer pointer)
    {
        WaitersFor(pointer).Wake();
        WaitersForAll.Wake();
    }

    /// <summary>Whether the pointer names a pinned object at this moment; safe outside of operations, too.</summary>
    public bool IsPinned(PilePointer pointer) =>
        _space.TryResolve(pointer, out var place) && _space.Header(place) is { IsPinned: true } header
            && header.Matches(pointer);

    /// <summary>Lets all who wait look again.</summary>
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
