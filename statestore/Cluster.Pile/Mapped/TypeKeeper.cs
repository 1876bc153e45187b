using Cluster.Pile.Objects;

namespace Cluster.Pile.Mapped;

/// <summary>Sees to it that a type is on the disk before the first object of it is stored. Owned by the codec of a
/// mapped pile; writing is guarded by the lock, what has been written is a single word.</summary>
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

    /// <summary>Called with every encoded graph: what it names is on the disk afterwards.</summary>
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
