using Cluster.Benchmarks.Harness;
using Cluster.Benchmarks.Rivals;
using Microsoft.Extensions.Caching.Hybrid;

namespace Cluster.Benchmarks.Web;

/// <summary>A hit of <see cref="HybridCache"/> in the process: an entry of another node that this process has kept,
/// beside an entry of the stock cache. Stateless.</summary>
internal static class HybridRow
{
    public const string Name = "hybrid.hit";

    private const int KeyCount = 256;

    private static readonly HybridCacheEntryOptions Options = new() { Expiration = TimeSpan.FromMinutes(10) };
    private static readonly string Value = new('x', KeyedLoad.ValueBytes);

    public static void Run(BenchmarkRun run, WebSides sides)
    {
        // A miss takes thousands of times as long as a hit, so all misses come before the race.
        foreach (var cache in new[] { sides.OurHybrid, sides.StockHybrid })
            ReadAsync(cache, 4 * KeyCount).GetAwaiter().GetResult();
        var race = Race.Run(run.Share(), SideOf("ours", sides.OurHybrid), SideOf("stock", sides.StockHybrid));
        run.Report(Name, race.TimeRatio("ours", "stock"));
    }

    private static Contender SideOf(string name, HybridCache cache) =>
        Contender.Async(name, count => ReadAsync(cache, count));

    private static async Task ReadAsync(HybridCache cache, int count)
    {
        for (var number = 0; number < count; number++)
        {
            await cache.GetOrCreateAsync(
                KeyedLoad.KeyAt(number % KeyCount), static _ => ValueTask.FromResult(Value), Options);
        }
    }
}
