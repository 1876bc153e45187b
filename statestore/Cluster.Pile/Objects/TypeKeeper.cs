using Cluster.Pile.Files;
using Cluster.Pile.Mapped.Intents;

namespace Cluster.Pile.Objects;

/// <summary>Writes the description of a type to the disk before the first object of the type is stored. Owned by the
/// codec of a mapped pile; the lock guards writing, and the number of written types is a single word.</summary>
internal sealed class TypeKeeper
{
    private readonly Lock _gate = new();
    private readonly TypeTable _table;
    private readonly TypeLog _log;
    private readonly UpdateIntents _intents;
    private int _kept;

    /// <summary>Restores the types that are on the disk.</summary>
    public TypeKeeper(TypeTable table, TypeLog log, UpdateIntents intents)
    {
        (_table, _log, _intents) = (table, log, intents);
        table.Restore(log.Records);
        _kept = log.Records.Count;
    }

    /// <summary>The codec calls this after each encoded graph. Afterwards, all types that the graph names are on the
    /// disk.</summary>
    public void KeepUp()
    {
        if (Volatile.Read(ref _kept) >= _table.Count)
            return;
        lock (_gate)
        {
            for (var number = _kept; number < _table.Count; number++)
            {
                _log.Append(_table.Describe(number));
                _intents.TypeCount = number + 1;
                Volatile.Write(ref _kept, number + 1);
            }
        }
    }
}
