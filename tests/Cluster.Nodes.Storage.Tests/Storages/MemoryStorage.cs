namespace Cluster.Nodes.Storage.Tests.Storages;

/// <summary>A storage in memory that counts, fails and waits as a test says. A lock protects the records.</summary>
internal sealed class MemoryStorage<TKey, TValue> : IStateStorage<TKey, TValue>
    where TKey : notnull
{
    private readonly Lock _lock = new();
    private readonly Dictionary<TKey, StorageRecord<TValue>> _records = [];
    private int _loadCount;
    private int _storeCount;

    /// <summary>What loads and stores throw; null: nothing.</summary>
    public Exception? Failure { get; set; }

    /// <summary>What each store waits for after it was asked and before it compares revisions; it ignores its
    /// token.</summary>
    public Func<TKey, Task>? BeforeStore { get; set; }

    /// <summary>What each load waits for.</summary>
    public Func<TKey, Task>? BeforeLoad { get; set; }

    public int LoadCount => Volatile.Read(ref _loadCount);

    /// <summary>How many records it has taken.</summary>
    public int StoreCount => Volatile.Read(ref _storeCount);

    public StorageRecord<TValue>? this[TKey key]
    {
        get
        {
            lock (_lock)
                return _records.GetValueOrDefault(key);
        }
    }

    public void Set(TKey key, StorageRecord<TValue> record)
    {
        lock (_lock)
            _records[key] = record;
    }

    public async ValueTask<StorageRecord<TValue>?> LoadAsync(TKey key, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _loadCount);
        if (BeforeLoad is { } before)
            await before(key);
        return Failure is null ? this[key] : throw Failure;
    }

    public async ValueTask<long> StoreAsync(
        TKey key, StorageRecord<TValue> record, CancellationToken cancellationToken)
    {
        if (BeforeStore is { } before)
            await before(key);
        if (Failure is not null)
            throw Failure;
        lock (_lock)
        {
            if (_records.TryGetValue(key, out var present) && present.Revision >= record.Revision)
                return present.Revision;
            _records[key] = record;
            Interlocked.Increment(ref _storeCount);
            return record.Revision;
        }
    }
}
