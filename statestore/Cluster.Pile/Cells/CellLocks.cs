using Cluster.Pile.Views;

namespace Cluster.Pile.Cells;

/// <summary>The cells of one table that threads hold. A thread holds one cell at a time, or several that it asked for
/// together; every wait is bounded. Owned by one table; its stripes protect themselves, the list of a thread belongs to
/// the thread.</summary>
internal sealed class CellLocks(CellTable table, CellTables tables)
{
    private const int StripeCount = 256;

    [ThreadStatic]
    private static List<CellHold>? _own;

    private readonly CellTable _table = table;
    private readonly CellTables _tables = tables;
    private readonly CellStripe[] _stripes = [.. Enumerable.Range(0, StripeCount).Select(_ => new CellStripe())];

    /// <summary>The stripe of a cell, by the hash of its id.</summary>
    public CellStripe StripeOf(ulong hash) => _stripes[hash % StripeCount];

    /// <summary>The calling thread's hold of a cell.</summary>
    public bool TryFindOwn(long id, [NotNullWhen(true)] out CellHold? own)
    {
        own = null;
        foreach (var hold in OwnHolds())
        {
            if (hold.Table == _table && hold.Id == id)
                own = hold;
        }

        return own is not null;
    }

    /// <summary>Throws when the calling thread holds a cell of the table.</summary>
    public void ThrowIfHolding(long wanted)
    {
        foreach (var hold in OwnHolds())
        {
            if (hold.Table == _table)
                CellThrow.HoldsOtherCell(wanted, hold);
        }
    }

    /// <summary>Holds a cell for the calling thread, which does not hold it yet.</summary>
    public CellHold Hold(long id, ulong hash, ref Patience patience)
    {
        var stripe = StripeOf(hash);
        CellHold? hold;
        while (!stripe.TryHold(_table, id, out hold))
            WaitFor(stripe, id, ref patience);
        (_own ??= []).Add(hold);
        return hold;
    }

    /// <summary>Releases a cell of the calling thread.</summary>
    public void Release(CellHold hold, ulong hash)
    {
        _own!.Remove(hold);
        var stripe = StripeOf(hash);
        stripe.Release(hold);
        stripe.Waiters.Wake();
    }

    /// <summary>Waits until another thread has released a cell; then the caller tries again. Throws when the time is
    /// over.</summary>
    public void WaitFor(CellStripe stripe, long id, ref Patience patience)
    {
        if (_tables.IsClosed)
            PileThrow.Disposed();
        if (stripe.TryTakeAbandoned(id, out var abandoned))
        {
            stripe.Waiters.Wake();
            _tables.Report(abandoned);
            return;
        }

        var left = patience.Left(_tables.PinWait, _tables.Clock);
        if (left <= TimeSpan.Zero)
            CellThrow.CellHeld(_table.Name, id, _tables.PinWait);
        stripe.Waiters.WaitWhile(() => !_tables.IsClosed && stripe.IsHeld(id), left, _tables.Clock);
    }

    /// <summary>Called after the pile is disposed of: wakes all waiters, and returns the holds that were not
    /// released.</summary>
    public IEnumerable<CellHold> End()
    {
        foreach (var stripe in _stripes)
            stripe.Waiters.Wake();
        return _stripes.SelectMany(stripe => stripe.All());
    }

    // The list is mostly empty, so that a search costs next to nothing.
    private static ReadOnlySpan<CellHold> OwnHolds() => CollectionsMarshal.AsSpan(_own);
}
