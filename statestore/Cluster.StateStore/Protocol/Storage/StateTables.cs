using Cluster.Pile.Hosting;

namespace Cluster.StateStore.Protocol.Storage;

/// <summary>The tables of a node's pile, one for each state. A table opens when the first key of its state is met:
/// while nodes of two versions run, a backup keeps records of states that it does not know itself. Thread-safe; reading
/// takes no lock.</summary>
/// <param name="open">Opens the table of a state.</param>
internal sealed class StateTables(Func<uint, StampedTable> open)
{
    private readonly Lock _lock = new();
    private volatile Dictionary<uint, StampedTable> _tables = [];

    /// <summary>All tables that are open, with the ids of their states.</summary>
    public IReadOnlyCollection<KeyValuePair<uint, StampedTable>> All => _tables;

    /// <summary>The records of all states, with marks of removals.</summary>
    public long Count => _tables.Sum(pair => pair.Value.Count);

    /// <summary>The table of a state.</summary>
    public StampedTable this[uint state] => _tables.TryGetValue(state, out var table) ? table : Open(state);

    /// <summary>Whether the pile, which all tables share, holds these bytes more.</summary>
    public bool HasRoom(long bytes)
    {
        foreach (var (_, table) in _tables)
            return table.HasRoom(bytes);
        return true;
    }

    private StampedTable Open(uint state)
    {
        lock (_lock)
        {
            if (_tables.TryGetValue(state, out var known))
                return known;
            var opened = open(state);
            _tables = new Dictionary<uint, StampedTable>(_tables) { [state] = opened };
            return opened;
        }
    }
}
