using Cluster.Pile.Caching;
using Cluster.Testing.Caching;

namespace Cluster.Pile.Tests.Caching;

/// <summary>One table at its limit and simulators of its capacity, fed with the same keys. Used by one test.</summary>
internal sealed class HitRatioRun : IDisposable
{
    private const long Elsewhere = 1L << 50;
    private const int FillStep = 1000;

    private readonly Caches _caches;
    private readonly CacheTable<long, byte[]> _table;
    private readonly byte[] _value;

    public HitRatioRun(long limitBytes, int valueBytes)
    {
        _caches = new Caches(limitBytes + (32 * Piles.MiB));
        _table = _caches.Create<long, byte[]>(new CacheTableOptions { MaxBytes = limitBytes });
        _value = new byte[valueBytes];

        // Keys that never come again, until the table is full and settled.
        var key = Elsewhere;
        while (_table.Count == 0 || _table.GetStatistics().Evictions < _table.Count)
        {
            for (var end = key + FillStep; key < end; key++)
                Access(key);
        }

        Capacity = (int)_table.Count;
    }

    /// <summary>How many entries the table has when it is full.</summary>
    public int Capacity { get; private set; }

    public double Table { get; private set; }

    public double S3Fifo { get; private set; }

    public double Lru { get; private set; }

    /// <summary>Feeds the first stream to warm up, and counts the hits of the second.</summary>
    public void Compare(IEnumerable<long> warmUp, IEnumerable<long> measured)
    {
        foreach (var key in warmUp)
            Access(key);

        // What the table really holds under this load; simulators of a fixed size are compared with that.
        Capacity = (int)_table.Count;
        var fifo = new S3FifoSimulator(Capacity);
        var lru = new LruSimulator(Capacity);
        foreach (var key in warmUp)
        {
            fifo.Access(key);
            lru.Access(key);
        }

        var (length, hits, fifoHits, lruHits) = (0, 0, 0, 0);
        foreach (var key in measured)
        {
            length++;
            hits += Access(key) ? 1 : 0;
            fifoHits += fifo.Access(key) ? 1 : 0;
            lruHits += lru.Access(key) ? 1 : 0;
        }

        (Table, S3Fifo, Lru) = ((double)hits / length, (double)fifoHits / length, (double)lruHits / length);
    }

    /// <summary>The share of hits among the keys that are not of the scan.</summary>
    public double HitRatioBeside(IEnumerable<(long Key, bool IsScan)> steps)
    {
        var (asked, hits) = (0, 0);
        foreach (var (key, isScan) in steps)
        {
            var isHit = Access(key);
            asked += isScan ? 0 : 1;
            hits += isHit && !isScan ? 1 : 0;
        }

        return (double)hits / asked;
    }

    public void Dispose() => _caches.Dispose();

    public override string ToString() =>
        $"{Capacity:N0} entries, table {Table:P2}, S3-FIFO {S3Fifo:P2}, LRU {Lru:P2}";

    private bool Access(long key)
    {
        if (_table.TryRead(key, _value, out _))
            return true;
        Assert.Equal(PutResult.Inserted, _table.Put(key, _value.AsSpan()));
        return false;
    }
}
