using System.Diagnostics.CodeAnalysis;
using Cluster.Pile.Views;

namespace Cluster.Pile.Cells;

/// <summary>
/// A part of the side table that says which cells are held. Guarded by its lock, under which single records are
/// changed, too: so no change comes between what a hold has read and what it writes.
/// </summary>
internal sealed class CellStripe
{
    // A hold is a few hundred bytes; more than these at a time are made anew.
    private const int SparesMax = 8;

    private readonly Lock _gate = new();
    private readonly Dictionary<long, CellHold> _held = [];
    private readonly Stack<CellHold> _spares = [];

    /// <summary>Those who wait for cells of this stripe.</summary>
    public PinWaiters Waiters { get; } = new();

    /// <summary>Begins a change of one cell; false when it is held. <see cref="EndChange"/> has to follow.</summary>
    public bool TryBeginChange(long id)
    {
        _gate.Enter();
        if (_held.Count == 0 || !_held.ContainsKey(id))
            return true;
        _gate.Exit();
        return false;
    }

    /// <summary>Ends a change that was begun.</summary>
    public void EndChange() => _gate.Exit();

    /// <summary>Holds a cell for the calling thread; false when another one does.</summary>
    public bool TryHold(CellTable table, long id, [NotNullWhen(true)] out CellHold? hold)
    {
        lock (_gate)
        {
            hold = null;
            if (_held.ContainsKey(id))
                return false;
            if (!_spares.TryPop(out hold))
                hold = new CellHold(table);
            hold.Begin(id);
            _held.Add(id, hold);
            return true;
        }
    }

    public bool IsHeld(long id)
    {
        lock (_gate)
            return _held.ContainsKey(id);
    }

    /// <summary>Gives a cell free. Those who wait are to be woken afterwards.</summary>
    public void Release(CellHold hold)
    {
        hold.Rest();
        lock (_gate)
        {
            _held.Remove(hold.Id);
            if (_spares.Count < SparesMax)
                _spares.Push(hold);
        }
    }

    /// <summary>Gives a cell free whose holder has ended; its hold is not used again.</summary>
    public bool TryTakeAbandoned(long id, [NotNullWhen(true)] out CellHold? hold)
    {
        lock (_gate)
            return _held.TryGetValue(id, out hold) && !hold.Owner.IsAlive && _held.Remove(id);
    }

    /// <summary>The holds that there are.</summary>
    public CellHold[] All()
    {
        lock (_gate)
            return [.. _held.Values];
    }
}
