using Cluster.Benchmarks.Glue;
using Cluster.Benchmarks.Harness;
using Cluster.Benchmarks.Rivals;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Caching.Memory;

namespace Cluster.Benchmarks.Web;

/// <summary>Measures the <see cref="IDistributedCache"/> of the cluster beside the stock ones over Redis, over Garnet
/// and in memory. Stateless.</summary>
internal static class CacheRows
{
    private const int ManyCallers = 64;
    private const string Get = "get";
    private const string Set = "set";

    private static readonly int[] CallerCounts = [16, ManyCallers, 256];
    private static readonly DistributedCacheEntryOptions Options = new();

    private static readonly string[] RowsOfCallers =
        ["1.p50", .. CallerCounts.Select(static count => count.ToString(CultureInfo.InvariantCulture))];

    private static readonly string[] RowsOfWork =
    [
        .. RowsOfCallers,
        $"own.{ManyCallers}", $"backup.{ManyCallers}", $"memory.{ManyCallers}",
        .. RowsOfCallers.Select(static row => $"garnet.{row}"),
    ];

    public static readonly string[] Names =
        [.. new[] { Get, Set }.SelectMany(static work => RowsOfWork.Select(row => $"cache.{work}.{row}"))];

    public static void Run(BenchmarkRun run, WebSides sides)
    {
        if (!run.Wants(Names))
            return;
        var memory = new MemoryDistributedCache(Microsoft.Extensions.Options.Options.Create(
            new MemoryDistributedCacheOptions { SizeLimit = 1L << 30 }));
        List<IDistributedCache> measured = [sides.Remote, sides.Backed, sides.Own, sides.Redis];
        if (sides.Garnet is not null)
            measured.Add(sides.Garnet);
        foreach (var cache in measured.Append(memory))
            KeyedLoad.FillAsync(key => SetAsync(cache, key)).GetAwaiter().GetResult();
        CallLoad.WarmUp(run, measured.SelectMany(cache => new[]
        {
            SideOf(Get, "warm", ManyCallers, cache), SideOf(Set, "warm", ManyCallers, cache),
        }));
        foreach (var work in new[] { Get, Set })
        {
            RunRemote(run, $"cache.{work}", work, sides.Remote, sides.Redis);
            if (sides.Garnet is not null)
                RunRemote(run, $"cache.{work}.garnet", work, sides.Remote, sides.Garnet);
            RunRace(run, $"cache.{work}.own.{ManyCallers}", work, ManyCallers, sides.Own, sides.Redis);
            RunRace(run, $"cache.{work}.backup.{ManyCallers}", work, ManyCallers, sides.Backed, sides.Redis);
            RunRace(run, $"cache.{work}.memory.{ManyCallers}", work, ManyCallers, sides.Own, memory);
        }
    }

    // Keys of other nodes.
    private static void RunRemote(
        BenchmarkRun run, string rows, string work, IDistributedCache ours, IDistributedCache rival)
    {
        var latency = $"{rows}.1.p50";
        if (run.Wants(latency))
            run.Report(latency, LatencyDuel.Run(run.Share(), CallOf(work, ours), CallOf(work, rival)));
        foreach (var callers in CallerCounts)
            RunRace(run, $"{rows}.{callers}", work, callers, ours, rival);
    }

    private static void RunRace(
        BenchmarkRun run, string name, string work, int callers, IDistributedCache ours, IDistributedCache rival)
    {
        if (!run.Wants(name))
            return;
        var race = Race.Run(run.Share(), SideOf(work, "ours", callers, ours), SideOf(work, "rival", callers, rival));
        run.Report(name, race.RateRatio("ours", "rival"));
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
