using Cluster.Pile.Expiry;
using Cluster.Pile.Layout;
using Cluster.Pile.Memory;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Views;

/// <summary>Opens and closes views, and lets threads wait that want to change an object under a view. Owned by one
/// pile. The header protocol protects the objects; the operations of each thread protect its own list of
/// views.</summary>
internal sealed class ViewStore(
    NativeWindow window,
    SlotSpace space,
    ThreadCacheRegistry registry,
    DeadlineClock deadlines,
    PileOptions options)
{
    private readonly NativeWindow _window = window;
    private readonly SlotSpace _space = space;
    private readonly ThreadCacheRegistry _registry = registry;
    private readonly PinTable _pins = new PinTable(space);
    private readonly DeadlineClock _deadlines = deadlines;
    private readonly TimeProvider _clock = options.TimeProvider;
    private readonly TimeSpan _pinWait = options.PinWait;
    private readonly Action<PileViewOrigin> _report = options.ViewAbandoned ?? WriteWarning;

    /// <summary>Pins an object and its body and returns a view of its bytes in place.</summary>
    public PileView Open(PilePointer pointer, string file, int line)
    {
        long ticket;
        Payload payload;
        while (!TryOpen(pointer, (file, line), out ticket, out payload))
            ThrowIfAbandoned(pointer);
        return new PileView(this, ticket, pointer, payload.Kind, _window.Span(payload.Offset, payload.Length));
    }

    /// <summary>Throws when an object was found locked and the holder of the lock is dead. Not called inside an
    /// operation.</summary>
    public void ThrowIfAbandoned(PilePointer pointer) => _space.Damage.ThrowIfAbandoned(_space, _registry, pointer);

    /// <summary>Closes a view of the calling thread; does nothing when it is closed or the pile is disposed
    /// of.</summary>
    public void Close(long ticket)
    {
        if (!_registry.TryEnter(out var cache))
            return;
        PilePointer pointer;
        try
        {
            if (!cache.Views.Remove(ticket, out pointer))
                return;
            _pins.Unpin(pointer);
        }
        finally
        {
            cache.Exit();
        }

        _pins.Wake(pointer);
    }

    /// <summary>Waits until an object that was found pinned may be changed; then the caller tries again. Throws when
    /// the time is over, and at once when the calling thread itself has a view on it. Not called inside an
    /// operation.</summary>
    public void WaitFor(PilePointer pointer, ref WaitBudget waitBudget)
    {
        if (TryFindOwn(pointer, out var own))
            ViewErrors.UnderOwnView(own);
        if (CloseAbandoned())
            return;
        var left = waitBudget.Left(_pinWait, _clock);
        if (left <= TimeSpan.Zero)
            ViewErrors.UnderViews(pointer, _pinWait);
        _pins.WaitersFor(pointer).WaitWhile(() => !_registry.IsClosed && _pins.IsPinned(pointer), left, _clock);
    }

    /// <summary>Like <see cref="WaitFor"/>, for all objects at once.</summary>
    public void WaitForAll(ref WaitBudget waitBudget)
    {
        if (TryFindOwn(default, out var own))
            ViewErrors.UnderOwnView(own);
        if (CloseAbandoned())
            return;
        var left = waitBudget.Left(_pinWait, _clock);
        if (left <= TimeSpan.Zero)
            ViewErrors.UnderViews(default, _pinWait);
        _pins.WaitersForAll.WaitWhile(
            () => !_registry.IsClosed && _registry.Sum(cache => cache.Views.Count) > 0, left, _clock);
    }

    /// <summary>Called after the pile is disposed of: wakes all waiters, and reports the views that were not
    /// closed.</summary>
    public void End(List<OpenView> leftOpen)
    {
        _pins.WakeAll();
        leftOpen.ForEach(view => _report(view.Origin));
    }

    // False: the object has been locked for as many looks as one copy needs.
    private bool TryOpen(PilePointer pointer, (string File, int Line) origin, out long ticket, out Payload payload)
    {
        (ticket, payload) = (0, default);
        using var operation = _registry.Begin();
        operation.Cache.Views.Reserve();
        if (!_pins.TryPin(pointer, out var owner, out var ownerHeader))
        {
            if (ownerHeader.State == SlotState.Busy && ownerHeader.Matches(pointer))
                return false;
            PileErrors.InvalidPointer(pointer);
        }

        if (!_space.TryFindBody(owner, ownerHeader, out var body, out var header)
            || !_space.TryDescribe(body, header, out payload))
        {
            Unpin(pointer);
            throw _space.Damage.Of(
                pointer.Granule, $"the object at granule {pointer.Granule:x} does not fit together.");
        }

        if (_deadlines.IsPast(_space.Deadline(body, header)))
        {
            Unpin(pointer);
            PileErrors.InvalidPointer(pointer);
        }

        ticket = operation.Cache.Views.Add(pointer, origin.File, origin.Line);
        return true;
    }

    private void Unpin(PilePointer pointer)
    {
        _pins.Unpin(pointer);
        _pins.Wake(pointer);
    }

    // A default pointer stands for any object.
    private bool TryFindOwn(PilePointer pointer, out OpenView found)
    {
        using var operation = _registry.Begin();
        if (!pointer.IsDefault)
            return operation.Cache.Views.TryFind(pointer, out found);
        found = operation.Cache.Views.Count > 0 ? operation.Cache.Views.All[0] : default;
        return operation.Cache.Views.Count > 0;
    }

    // A view cannot leave its thread, so nobody reads a view of a dead thread.
    private bool CloseAbandoned()
    {
        var abandoned = new List<OpenView>();
        _registry.ForDeadThreads(cache =>
        {
            foreach (var view in cache.Views.All)
            {
                _pins.Unpin(view.Pointer);
                abandoned.Add(view);
            }

            cache.Views.Clear();
        });
        foreach (var view in abandoned)
        {
            _pins.Wake(view.Pointer);
            _report(view.Origin);
        }

        return abandoned.Count > 0;
    }

    private static void WriteWarning(PileViewOrigin origin) =>
        Trace.TraceWarning($"A view on {origin.Pointer} was never disposed; {origin.File}:{origin.Line} took it.");
}
