using Cluster.Benchmarks.Harness;
using Cluster.Pile;
using Cluster.Pile.Caching;
using Cluster.Testing.Caching;
using Microsoft.Extensions.Caching.Memory;

namespace Cluster.Benchmarks.Cache;

/// <summary>
/// How often a key is found that Zipf's law asks for, 0.99 over ten million keys, in caches of a hundredth and a tenth of
/// them. Every contender gets the same requests; the first ones only fill it.
/// </summary>
internal static class HitRows
{
    private const double Exponent = 0.99;
    private const int Seed = 21;

    // So many of these entries that the table never has more than a cache that counts them.
    private const long EntryBytes = 90;
    private const long SlackBytes = 32L << 20;

    public static void Run(BenchmarkRun run)
    {
        RunSize(run, share: 100, warmUp: run.IsQuick ? 4_000_000 : 5_000_000);
        RunSize(run, share: 10, warmUp: run.IsQuick ? 8_000_000 : 10_000_000);
    }

    private static void RunSize(BenchmarkRun run, int share, int warmUp)
    {
        var row = $"hit.{100 / share}";
        if (!run.Wants(row, $"{row}.s3fifo", $"{row}.lru", $"{row}.memorycache"))
            return;
        var keys = run.Size(row);
        var capacity = (int)(keys / share);
        var measured = run.IsQuick ? 1_000_000 : 10_000_000;
        long[] requests = [.. AccessPatterns.Zipf(Seed, keys, Exponent, warmUp + measured)];
        run.Report(row, OurHitPercent(capacity, requests, warmUp));
        run.Report($"{row}.s3fifo", HitPercent(new S3FifoSimulator(capacity).Access, requests, warmUp));
        run.Report($"{row}.lru", HitPercent(new LruSimulator(capacity).Access, requests, warmUp));
        using var rival = new MemoryCache(new MemoryCacheOptions { SizeLimit = capacity });
        run.Report($"{row}.memorycache", HitPercent(key => Access(rival, key), requests, warmUp));
    }

    private static double OurHitPercent(int capacity, long[] requests, int warmUp)
    {
        using var pile = new LocalPile(new PileOptions { BudgetBytes = (capacity * EntryBytes) + SlackBytes });
        var table = new PileCache(pile).GetOrCreateTable<long, byte[]>(
            "entries", new CacheTableOptions { BytesMax = capacity * EntryBytes });
        var value = new byte[StoreTrial.ValueBytes];
        var percent = HitPercent(key => Access(table, key, value), requests, warmUp);
        return table.Count <= capacity
            ? percent
            : throw new InvalidOperationException($"The table has {table.Count} entries instead of {capacity}.");
    }

    private static bool Access(CacheTable<long, byte[]> table, long key, byte[] value)
    {
        if (table.TryRead(key, value, out _))
            return true;
        table.Put(key, value.AsSpan());
        return false;
    }

    private static bool Access(MemoryCache cache, long key)
    {
        if (cache.TryGetValue(key, out _))
            return true;
        cache.Set(key, key, new MemoryCacheEntryOptions { Size = 1 });
        return false;
    }

    private static double HitPercent(Func<long, bool> access, long[] requests, int warmUp)
    {
        foreach (var key in requests.AsSpan(0, warmUp))
            access(key);
        var hits = 0L;
        foreach (var key in requests.AsSpan(warmUp))
            hits += access(key) ? 1 : 0;
        return 100.0 * hits / (requests.Length - warmUp);
    }
}
