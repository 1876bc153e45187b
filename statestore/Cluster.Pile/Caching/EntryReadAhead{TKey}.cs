using Cluster.Pile.Caching.Keys;
using Cluster.Pile.Tables;

namespace Cluster.Pile.Caching;

/// <summary>Fetches the memory of a sequence of reads with integer keys into the processor's cache: first the buckets,
/// some reads later the records. Only a hint. Owned by the method that declares it; mutable, do not copy.</summary>
internal ref struct EntryReadAhead<TKey>
    where TKey : notnull
{
    private const int BucketsAhead = 32;
    private const int RecordsAhead = 16;

    // Fetches in close sequence have their addresses translated in parallel.
    private const int Burst = 8;

    private readonly RecordStore _store;
    private ReadOnlySpan<TKey> _buckets;
    private ReadOnlySpan<TKey> _records;
    private int _untilBurst;

    /// <summary>Starts with the first reads of the sequence.</summary>
    public EntryReadAhead(RecordStore store, ReadOnlySpan<TKey> keys)
    {
        _store = store;
        _buckets = keys;
        _records = keys;
        FetchBuckets(BucketsAhead);
        FetchRecords(RecordsAhead);
    }

    /// <summary>Called once before each read.</summary>
    public void Step()
    {
        if (--_untilBurst > 0)
            return;
        FetchBuckets(Burst);
        FetchRecords(Burst);
        _untilBurst = Burst;
    }

    private void FetchBuckets(int count)
    {
        count = Math.Min(count, _buckets.Length);
        foreach (var key in _buckets[..count])
            _store.PrefetchBucket(HashOf(key));
        _buckets = _buckets[count..];
    }

    private void FetchRecords(int count)
    {
        count = Math.Min(count, _records.Length);
        foreach (var key in _records[..count])
            _store.PrefetchRecord(HashOf(key));
        _records = _records[count..];
    }

    private readonly ulong HashOf(TKey key) => _store.Hash.OfInteger(IntegerKeys<TKey>.ToInt64(key));
}
