using Cluster.Pile.Slots;

namespace Cluster.Pile.Tables;

/// <summary>Counts the records of one table and enforces its limit. Owned by one table. Each thread counts for itself.
/// With a limit, one atomic word also counts for all threads, so that threads that add at the same time cannot exceed
/// the limit together.</summary>
/// <remarks>The constructor counts an empty table.</remarks>
internal sealed class RecordCount(ThreadCacheRegistry registry, int table, long limit)
{
    private readonly ThreadCacheRegistry _registry = registry;
    private readonly int _table = table;
    private long _limit = limit;
    private long _limited;

    /// <summary>The highest number of records; <see cref="long.MaxValue"/>: no limit. Not to be set inside an
    /// operation.</summary>
    public long Limit
    {
        get => Volatile.Read(ref _limit);
        set => _registry.RunAlone(caches =>
        {
            Volatile.Write(ref _limited, caches.Sum(cache => cache.RecordsOf(_table)));
            Volatile.Write(ref _limit, value);
        });
    }

    /// <summary>The number of records in the table; exact while no operation runs. Not to be called inside an
    /// operation.</summary>
    public long Current => _registry.Sum(cache => cache.RecordsOf(_table));

    /// <summary>The number of records above the limit; negative below the limit, and without a limit.</summary>
    public long Excess => Limit is var limit && limit == long.MaxValue ? -1 : Volatile.Read(ref _limited) - limit;

    /// <summary>Reserves room for a record that the caller is about to add. False: the limit is reached. Called inside
    /// an operation.</summary>
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

    /// <summary>Returns a reservation for a record that was not added. Called inside an operation.</summary>
    public void GiveBack()
    {
        if (Limit != long.MaxValue)
            Interlocked.Decrement(ref _limited);
    }

    /// <summary>Counts a record that was added with a reservation. Called inside an operation.</summary>
    public void Add(ThreadCache cache) => cache.AddRecords(_table, 1);

    /// <summary>Counts a removed record. Called inside an operation.</summary>
    public void Remove(ThreadCache cache)
    {
        cache.AddRecords(_table, -1);
        GiveBack();
    }

    /// <summary>Sets the count to zero after a purge; no operation is running.</summary>
    public void Clear() => Volatile.Write(ref _limited, 0);
}
