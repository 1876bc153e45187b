using Cluster.Pile.Threads;

namespace Cluster.Pile.Records;

/// <summary>How many records one table has, and may have. Owned by one table. Threads count for themselves; where there
/// is a limit, one atomic word counts for all besides, so that threads that add at once do not pass it
/// together.</summary>
/// <remarks>Counts an empty table.</remarks>
internal sealed class RecordCount(ThreadCacheRegistry registry, int table, long limit)
{
    private readonly ThreadCacheRegistry _registry = registry;
    private readonly int _table = table;
    private long _limit = limit;
    private long _limited;

    /// <summary>The limit; <see cref="long.MaxValue"/> is none. Not to be set inside an operation.</summary>
    public long Limit
    {
        get => Volatile.Read(ref _limit);
        set => _registry.RunAlone(caches =>
        {
            Volatile.Write(ref _limited, caches.Sum(cache => cache.RecordsOf(_table)));
            Volatile.Write(ref _limit, value);
        });
    }

    /// <summary>Records in the table; exact when nothing runs. Not to be called inside an operation.</summary>
    public long Current => _registry.Sum(cache => cache.RecordsOf(_table));

    /// <summary>How many records there are above the limit; negative below it, and where there is none.</summary>
    public long Excess => Limit is var limit && limit == long.MaxValue ? -1 : Volatile.Read(ref _limited) - limit;

    /// <summary>Takes room for a record that is to be added; false when there is none. Called inside an
    /// operation.</summary>
    public bool TryTake()
    {
        var limit = Limit;
        if (limit == long.MaxValue)
            return true;
        for (var seen = Volatile.Read(ref _limited); seen < limit;)
        {
            var found = Interlocked.CompareExchange(ref _limited, seen + 1, seen);
            if (found == seen)
                return true;
            seen = found;
        }

        return false;
    }

    /// <summary>Gives the room of a record back that was not added after all. Called inside an operation.</summary>
    public void GiveBack()
    {
        if (Limit != long.MaxValue)
            Interlocked.Decrement(ref _limited);
    }

    /// <summary>Counts a record that was added in the room that was taken for it. Called inside an operation.</summary>
    public void Add(ThreadCache cache) => cache.AddRecords(_table, 1);

    /// <summary>Counts a record that was removed. Called inside an operation.</summary>
    public void Remove(ThreadCache cache)
    {
        cache.AddRecords(_table, -1);
        GiveBack();
    }

    /// <summary>Forgets all records; no operation is running.</summary>
    public void Clear() => Volatile.Write(ref _limited, 0);
}
