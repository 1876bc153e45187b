using Cluster.Pile.Views;

namespace Cluster.Pile.Cells;

/// <summary>Which cells of one table are held, and by whom. A thread holds one cell at a time, or several that it asked
/// for together; every wait is bounded. Owned by one table; its stripes protect themselves, the list of a thread is its
/// own.</summary>
internal sealed class CellLocks(CellTable table, CellTables tables)
{
    private const int StripeCount = 256;

    [ThreadStatic]
    private static List<CellHold>? _own;

    private readonly CellTable _table = table;
    private readonly CellTables _tables = tables;
    private readonly CellStripe[] _stripes = [.. Enumerable.Range(0, StripeCount).Select(_ => new CellStripe())];

    /// <summary>Where a cell is held, by the hash of its id.</summary>
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

    /// <summary>Holds a cell for the calling thread, which holds it no more than once.</summary>
    public CellHold Hold(long id, ulong hash, ref Patience patience)
    {
        var stripe = StripeOf(hash);
        CellHold? hold;
        while (!stripe.TryHold(_table, id, out hold))
            WaitFor(stripe, id, ref patience);
        (_own ??= []).Add(hold);
        return hold;
    }

    /// <summary>Gives a cell of the calling thread free.</summary>
    public void Release(CellHold hold, ulong hash)
    {
        _own!.Remove(hold);
        var stripe = StripeOf(hash);
        stripe.Release(hold);
        stripe.Waiters.Wake();
    }

    /// <summary>Returns when it is worth trying again to have a cell that another thread holds; throws when the time is
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

    /// <summary>After the pile has ended: wakes those who wait, and gives the holds that nobody released.</summary>
    public IEnumerable<CellHold> End()
    {
        foreach (var stripe in _stripes)
            stripe.Waiters.Wake();
        return _stripes.SelectMany(stripe => stripe.All());
    }

    // Mostly empty, so that looking costs next to nothing.
    private static ReadOnlySpan<CellHold> OwnHolds() => CollectionsMarshal.AsSpan(_own);
}
