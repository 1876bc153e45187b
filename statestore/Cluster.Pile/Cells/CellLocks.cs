using Cluster.Pile.Views;

namespace Cluster.Pile.Cells;

/// <summary>The cells of one table that threads hold. A thread holds one cell at a time, or several that it asked for
/// together; every wait is bounded. Owned by one table; its stripes protect themselves, the list of a thread belongs to
/// the thread.</summary>
internal sealed class CellLocks(CellTable table, CellTables tables)
{
    private const int StripeCount = 256;

    [ThreadStatic]
    private static List<CellLock>? _own;

    private readonly CellTable _table = table;
    private readonly CellTables _tables = tables;
    private readonly CellStripe[] _stripes = [.. Enumerable.Range(0, StripeCount).Select(_ => new CellStripe())];

    /// <summary>The stripe of a cell, by the hash of its id.</summary>
    public CellStripe StripeOf(ulong hash) => _stripes[hash % StripeCount];

    /// <summary>Finds the lock of a cell that the calling thread holds.</summary>
    public bool TryFindOwn(long id, [NotNullWhen(true)] out CellLock? own)
    {
        own = null;
        foreach (var cellLock in OwnLocks())
        {
            if (cellLock.Table == _table && cellLock.Id == id)
                own = cellLock;
        }

        return own is not null;
    }

    /// <summary>Throws when the calling thread holds a cell of the table.</summary>
    public void ThrowIfHolding(long wanted)
    {
        foreach (var cellLock in OwnLocks())
        {
            if (cellLock.Table == _table)
                CellErrors.HoldsOtherCell(wanted, cellLock);
        }
    }

    /// <summary>Holds a cell for the calling thread, which does not hold it yet.</summary>
    public CellLock Take(long id, ulong hash, ref WaitBudget waitBudget)
    {
        var stripe = StripeOf(hash);
        CellLock? cellLock;
        while (!stripe.TryTake(_table, id, out cellLock))
            WaitFor(stripe, id, ref waitBudget);
        (_own ??= []).Add(cellLock);
        return cellLock;
    }

    /// <summary>Releases a cell of the calling thread.</summary>
    public void Release(CellLock cellLock, ulong hash)
    {
        _own!.Remove(cellLock);
        var stripe = StripeOf(hash);
        stripe.Release(cellLock);
        stripe.Waiters.Wake();
    }

    /// <summary>Waits until another thread has released a cell; then the caller tries again. Throws when the time is
    /// over.</summary>
    public void WaitFor(CellStripe stripe, long id, ref WaitBudget waitBudget)
    {
        if (_tables.IsClosed)
            PileErrors.Disposed();
        if (stripe.TryTakeAbandoned(id, out var abandoned))
        {
            stripe.Waiters.Wake();
            _tables.Report(abandoned);
            return;
        }

        var left = waitBudget.Left(_tables.PinWait, _tables.Clock);
        if (left <= TimeSpan.Zero)
            CellErrors.CellHeld(_table.Name, id, _tables.PinWait);
        stripe.Waiters.WaitWhile(() => !_tables.IsClosed && stripe.IsHeld(id), left, _tables.Clock);
    }

    /// <summary>Called after the pile is disposed of: wakes all waiters, and returns the cell locks that were not
    /// released.</summary>
    public IEnumerable<CellLock> End()
    {
        foreach (var stripe in _stripes)
            stripe.Waiters.Wake();
        return _stripes.SelectMany(stripe => stripe.All());
    }

    // The list is mostly empty, so that a search costs next to nothing.
    private static ReadOnlySpan<CellLock> OwnLocks() => CollectionsMarshal.AsSpan(_own);
}
