using BitFaster.Caching.Lfu;
using BitFaster.Caching.Scheduler;
using Cluster.Benchmarks.Harness;
using Cluster.Pile;
using Cluster.Pile.Caching;
using Cluster.Testing.Caching;
using Microsoft.Extensions.Caching.Memory;

namespace Cluster.Benchmarks.Cache;

/// <summary>How often a key is found that Zipf's law asks for, 0.99 over ten million keys, in caches of a hundredth and
/// a tenth of them. Every contender gets the same requests; the first ones only fill it.</summary>
internal static class HitRows
{
    private const double Exponent = 0.99;
    private const int Seed = 21;

    // Requests for each key, warm-up and measurement together, where most are needed.
    private const double RequestShareQuick = 1.1;
    private const double RequestShareFull = 2;

    // What an entry takes at most, so that the pile has room for all entries that may be kept and evicts none by
    // itself.
    private const long EntryBytes = 200;
    private const long SlackBytes = 32L << 20;

    public static void Run(BenchmarkRun run)
    {
        var streams = new ConcurrentDictionary<long, Lazy<long[]>>();
        RunSize(run, streams, share: 100, warmUpShare: 0.5, measuredShare: run.IsQuick ? 0.2 : 1);
        RunSize(run, streams, share: 10, warmUpShare: 1, measuredShare: run.IsQuick ? 0.1 : 1);
    }

    // Nothing is timed, so the contenders run side by side.
    private static void RunSize(
        BenchmarkRun run,
        ConcurrentDictionary<long, Lazy<long[]>> streams,
        int share,
        double warmUpShare,
        double measuredShare)
    {
        var row = $"hit.{100 / share}";
        var contenders = new (string Row, Func<int, long[], int, double> HitPercent)[]
        {
            (row, OurHitPercent),
            ($"{row}.same.keys", OurHitPercent),
            ($"{row}.s3fifo", (size, keys, warmUp) => HitPercent(new S3FifoSimulator(size).Access, keys, warmUp)),
            ($"{row}.lru", (size, keys, warmUp) => HitPercent(new LruSimulator(size).Access, keys, warmUp)),
            ($"{row}.memorycache", MemoryCacheHitPercent),
            ($"{row}.bitfaster", BitFasterHitPercent),
        };
        var wanted = contenders.Where(contender => run.Wants(contender.Row));
        Parallel.ForEach(Partitioner.Create(wanted, EnumerablePartitionerOptions.NoBuffering), contender =>
        {
            var keys = run.Size(contender.Row);
            var longest = (int)(keys * (run.IsQuick ? RequestShareQuick : RequestShareFull));
            var requests = streams.GetOrAdd(keys, _ => new(() => Requests(keys, longest))).Value;
            var warmUp = (int)(keys * warmUpShare);
            requests = requests[..(warmUp + (int)(keys * measuredShare))];
            run.Report(contender.Row, contender.HitPercent((int)(keys / share), requests, warmUp));
        });
    }

    // Drawn by two threads, each from a seed of its own.
    private static long[] Requests(long keys, int count)
    {
        var requests = new long[count];
        Parallel.For(0, 2, half =>
        {
            var part = requests.AsSpan(half * (count / 2), half == 0 ? count / 2 : count - (count / 2));
            var zipf = new ZipfGenerator(Seed + half, keys, Exponent);
            foreach (ref var request in part)
                request = zipf.Next();
        });
        return requests;
    }

    private static double MemoryCacheHitPercent(int capacity, long[] requests, int warmUp)
    {
        using var rival = new MemoryCache(new MemoryCacheOptions { SizeLimit = capacity });
        return HitPercent(key => Access(rival, key), requests, warmUp);
    }

    // Its upkeep runs on the calling thread, so that the same requests give the same figure.
    private static double BitFasterHitPercent(int capacity, long[] requests, int warmUp)
    {
        var rival = new ConcurrentLfu<long, long>(
            concurrencyLevel: 1, capacity, new ForegroundScheduler(), EqualityComparer<long>.Default);
        return HitPercent(key => Access(rival, key), requests, warmUp);
    }

    private static double OurHitPercent(int capacity, long[] requests, int warmUp)
    {
        using var pile = new LocalPile(new PileOptions { BudgetBytes = (capacity * EntryBytes) + SlackBytes });
        var table = new PileCache(pile).GetOrCreateTable<long, byte[]>(
            "entries", new CacheTableOptions { MaxEntries = capacity });
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

    private static bool Access(ConcurrentLfu<long, long> cache, long key)
    {
        if (cache.TryGet(key, out _))
            return true;
        cache.AddOrUpdate(key, key);
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
