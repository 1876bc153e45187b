using Cluster.Benchmarks.Harness;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Benchmarks.Web;

/// <summary>The longest pause of full collections in a process whose cache has many entries. Stateless.</summary>
internal static class CollectionRow
{
    public const string Name = "gc.pause";

    private const int ValueBytes = 100;
    private const int CollectionCount = 10;
    private const int FillerCount = 4;

    // An entry of 100 bytes with its key and its place in the table.
    private const long BytesPerEntry = 400;
    private const long OtherBytes = 512 << 20;

    public static void Run(BenchmarkRun run)
    {
        var count = run.Size(Name);
        using var node = WebNode.BuildAlone(OtherBytes + count * BytesPerEntry);
        node.Start();
        var cache = node.Services.GetRequiredKeyedService<IDistributedCache>(WebNode.Plain);
        Task.WhenAll(Enumerable.Range(0, FillerCount).Select(first => Task.Run(() => FillAsync(cache, first, count))))
            .GetAwaiter().GetResult();
        var longest = TimeSpan.Zero;
        for (var turn = 0; turn < CollectionCount; turn++)
        {
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true);
            var pause = GC.GetGCMemoryInfo(GCKind.FullBlocking).PauseDurations[0];
            longest = pause > longest ? pause : longest;
        }

        run.Report(Name, longest.TotalMilliseconds);
        node.StopAsync().GetAwaiter().GetResult();
    }

    private static async Task FillAsync(IDistributedCache cache, long first, long count)
    {
        var (value, options) = (new byte[ValueBytes], new DistributedCacheEntryOptions());
        for (var number = first; number < count; number += FillerCount)
            await cache.SetAsync($"entry:{number}", value, options);
    }
}
