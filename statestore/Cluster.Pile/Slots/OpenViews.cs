namespace Cluster.Pile.Slots;

/// <summary>The views that one thread has open; a view never leaves its thread. Each has a number, so that disposing
/// one twice, or a copy of it, does nothing. Guarded like the <see cref="Cluster.Pile.Slots.ThreadCache"/> that owns
/// it.</summary>
internal sealed class OpenViews
{
    private const int CapacityFirst = 4;

    private OpenView[] _views = [];
    private long _ticketLast;

    public int Count { get; private set; }

    public ReadOnlySpan<OpenView> All => _views.AsSpan(0, Count);

    /// <summary>Makes room for one more view, so that adding it cannot fail.</summary>
    public void Reserve()
    {
        if (Count == _views.Length)
            Array.Resize(ref _views, Math.Max(CapacityFirst, Count * 2));
    }

    /// <summary>Adds a view and returns its number.</summary>
    public long Add(PilePointer pointer, string file, int line)
    {
        _views[Count++] = new OpenView(++_ticketLast, pointer, file, line);
        return _ticketLast;
    }

    /// <summary>Removes a view by its number. False: it is gone already.</summary>
    public bool Remove(long ticket, out PilePointer pointer)
    {
        // From the end, because views are mostly closed in reverse order.
        for (var index = Count - 1; index >= 0; index--)
        {
            if (_views[index].Ticket != ticket)
                continue;
            pointer = _views[index].Pointer;
            _views[index] = _views[--Count];
            return true;
        }

        pointer = default;
        return false;
    }

    /// <summary>Finds a view on an object.</summary>
    public bool TryFind(PilePointer pointer, out OpenView found)
    {
        foreach (var view in All)
        {
            if (view.Pointer != pointer)
                continue;
            found = view;
            return true;
        }

        found = default;
        return false;
    }

    public void Clear()
    {
        Array.Clear(_views);
        Count = 0;
    }
}

/// <summary>A view that was not disposed yet: its number, its object, and the call that took it. Immutable.</summary>
internal readonly record struct OpenView(long Ticket, PilePointer Pointer, string File, int Line)
{
    public PileViewOrigin Origin => new(Pointer, File, Line);
}
