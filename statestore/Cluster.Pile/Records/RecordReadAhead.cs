namespace Cluster.Pile.Records;

/// <summary>
/// Fetches what a row of reads will need into the processor's cache: first the buckets, some reads later the records
/// that they name. Only a hint. Owned by the method that declares it; mutable, do not copy.
/// </summary>
internal ref struct RecordReadAhead
{
    private const int BucketsAhead = 32;
    private const int RecordsAhead = 16;

    // Fetches that follow each other closely are translated side by side.
    private const int Burst = 8;

    private readonly RecordReader _reader;
    private readonly KeyHash _hash;
    private ReadOnlySpan<long> _buckets;
    private ReadOnlySpan<long> _records;
    private int _untilBurst;

    /// <summary>Starts with the first reads of the row.</summary>
    public RecordReadAhead(RecordReader reader, KeyHash hash, ReadOnlySpan<long> keys)
    {
        _reader = reader;
        _hash = hash;
        _buckets = keys;
        _records = keys;
        FetchBuckets(BucketsAhead);
        FetchRecords(RecordsAhead);
    }

    /// <summary>To be called once before each read.</summary>
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
            _reader.PrefetchBucket(_hash.OfInteger(key));
        _buckets = _buckets[count..];
    }

    private void FetchRecords(int count)
    {
        count = Math.Min(count, _records.Length);
        foreach (var key in _records[..count])
            _reader.PrefetchRecord(_hash.OfInteger(key));
        _records = _records[count..];
    }
}
