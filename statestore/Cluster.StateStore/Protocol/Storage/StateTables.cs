using Cluster.Pile.Hosting;

namespace Cluster.StateStore.Protocol.Storage;

/// <summary>The tables of a node's pile, one for each state and set of partitions. A state has one set; where nodes
/// disagree about its backups, the records of both sets stay apart. A table opens when the first key of its state is
/// met: while nodes of two versions run, a backup keeps records of states that it does not know itself. Thread-safe;
/// reading takes no lock.</summary>
/// <param name="open">Opens the table of a set and a state.</param>
internal sealed class StateTables(Func<int, uint, StampedTable> open)
{
    private readonly Lock _lock = new();
    private volatile Dictionary<ulong, StampedTable> _tables = [];

    /// <summary>The records of all states, with marks of removals.</summary>
    public long Count => _tables.Values.Sum(table => table.Count);

    /// <summary>The table of a set and a state.</summary>
    public StampedTable this[int set, uint state] =>
        _tables.TryGetValue(KeyOf(set, state), out var table) ? table : Open(set, state);

    /// <summary>The name of the table of a set and a state.</summary>
    public static string NameOf(int set, uint state) => $"state {state:x8} of set {set}";

    /// <summary>Opens the tables that an earlier process has left.</summary>
    /// <param name="names">The names of tables; others are left alone.</param>
    public void OpenAll(IEnumerable<string> names)
    {
        foreach (var name in names)
        {
            if (TryParse(name, out var set, out var state))
                Open(set, state);
        }
    }

    /// <summary>The tables of a set that are open, with the ids of their states.</summary>
    public IEnumerable<KeyValuePair<uint, StampedTable>> Of(int set) => _tables
        .Where(pair => SetOf(pair.Key) == set)
        .Select(pair => KeyValuePair.Create((uint)pair.Key, pair.Value));

    /// <summary>The records of a state, with marks of removals.</summary>
    public long CountOf(uint state) => _tables.Where(pair => (uint)pair.Key == state).Sum(pair => pair.Value.Count);

    /// <summary>Whether the pile, which all tables share, holds these bytes more.</summary>
    public bool HasRoom(long bytes)
    {
        foreach (var (_, table) in _tables)
            return table.HasRoom(bytes);
        return true;
    }

    private static ulong KeyOf(int set, uint state) => ((ulong)set << 32) | state;

    private static int SetOf(ulong key) => (int)(key >> 32);

    private static bool TryParse(string name, out int set, out uint state)
    {
        (set, state) = (0, 0);
        var parts = name.Split(' ');
        return parts.Length == NameOf(0, 0).Split(' ').Length
            && uint.TryParse(parts[1], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out state)
            && int.TryParse(parts[^1], NumberStyles.None, CultureInfo.InvariantCulture, out set)
            && name == NameOf(set, state);
    }

    private StampedTable Open(int set, uint state)
    {
        lock (_lock)
        {
            if (_tables.TryGetValue(KeyOf(set, state), out var known))
                return known;
            var opened = open(set, state);
            _tables = new Dictionary<ulong, StampedTable>(_tables) { [KeyOf(set, state)] = opened };
            return opened;
        }
    }
}
