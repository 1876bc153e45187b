using Cluster.Benchmarks.Glue;
using Cluster.Benchmarks.Harness;
using Cluster.Benchmarks.Rivals;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Caching.Memory;

namespace Cluster.Benchmarks.Web;

/// <summary><see cref="IDistributedCache"/> of the cluster beside those over Redis and in memory. Stateless.</summary>
internal static class CacheRows
{
    private const int ManyCallers = 64;
    private const string Get = "get";
    private const string Set = "set";

    private static readonly int[] CallerCounts = [16, ManyCallers, 256];
    private static readonly DistributedCacheEntryOptions Options = new();

    private static readonly string[] RowsOfWork =
    [
        "1.p50", .. CallerCounts.Select(static count => count.ToString(CultureInfo.InvariantCulture)),
        $"own.{ManyCallers}", $"backup.{ManyCallers}", $"memory.{ManyCallers}",
    ];

    public static readonly string[] Names =
        [.. new[] { Get, Set }.SelectMany(static work => RowsOfWork.Select(row => $"cache.{work}.{row}"))];

    public static void Run(BenchmarkRun run, WebSides sides)
    {
        if (!run.Wants(Names))
            return;
        var memory = new MemoryDistributedCache(Microsoft.Extensions.Options.Options.Create(
            new MemoryDistributedCacheOptions { SizeLimit = 1L << 30 }));
        foreach (var cache in new[] { sides.Remote, sides.Backed, sides.Own, sides.Redis, memory })
            KeyedLoad.FillAsync(key => SetAsync(cache, key)).GetAwaiter().GetResult();
        WarmUp(run, [sides.Remote, sides.Backed, sides.Own, sides.Redis]);
        foreach (var work in new[] { Get, Set })
        {
            RunLatency(run, work, sides);
            foreach (var callers in CallerCounts)
                RunRace(run, work, $"{callers}", callers, sides.Remote, sides.Redis);
            RunRace(run, work, $"own.{ManyCallers}", ManyCallers, sides.Own, sides.Redis);
            RunRace(run, work, $"backup.{ManyCallers}", ManyCallers, sides.Backed, sides.Redis);
            RunRace(run, work, $"memory.{ManyCallers}", ManyCallers, sides.Own, memory);
        }
    }

    private static void WarmUp(BenchmarkRun run, IDistributedCache[] caches)
    {
        var kinds = caches.SelectMany(cache => new[]
        {
            SideOf(Get, "warm", ManyCallers, cache), SideOf(Set, "warm", ManyCallers, cache),
        });
        CallLoad.WarmUp(
            TimeSpan.FromSeconds(run.IsQuick ? 4 : 30),
            [.. kinds.Select(static kind => (Func<int, Task>)(count => Task.Run(() => kind.Body(count))))]);
    }

    private static void RunRace(
        BenchmarkRun run, string work, string row, int callers, IDistributedCache ours, IDistributedCache rival)
    {
        var name = $"cache.{work}.{row}";
        if (!run.Wants(name))
            return;
        var race = Race.Run(run.Share(), SideOf(work, "ours", callers, ours), SideOf(work, "rival", callers, rival));
        run.Report(name, race.RateRatio("ours", "rival"));
    }

    private static void RunLatency(BenchmarkRun run, string work, WebSides sides)
    {
        var name = $"cache.{work}.1.p50";
        if (run.Wants(name))
            run.Report(name, LatencyDuel.Run(run.Share(), CallOf(work, sides.Remote), CallOf(work, sides.Redis)));
    }

    private static Contender SideOf(string work, string name, int callers, IDistributedCache cache) => work == Get
        ? KeyedLoad.Reads(name, callers, key => new ValueTask<byte[]?>(cache.GetAsync(key)), static value => value)
        : KeyedLoad.Writes(name, callers, key => SetAsync(cache, key));

    private static Func<long, Task> CallOf(string work, IDistributedCache cache) => work == Get
        ? async number => KeyedLoad.Check(await cache.GetAsync(KeyedLoad.KeyAt(number)))
        : number => cache.SetAsync(KeyedLoad.KeyAt(number), KeyedLoad.Value, Options);

    private static async ValueTask<bool> SetAsync(IDistributedCache cache, string key)
    {
        await cache.SetAsync(key, KeyedLoad.Value, Options);
        return true;
    }
}
