using Cluster.Benchmarks.Harness;
using Cluster.Glue;

namespace Cluster.Benchmarks.Glue;

/// <summary>A thousand clients, each with a link of its own and one caller, beside 256 callers on one link.</summary>
internal static class ConnectionRows
{
    private const int OpenedAtOnce = 50;

    public static void Run(BenchmarkRun run, PeerProcess peer, IPeerService link)
    {
        int count = (int)run.Size("connections.1000");
        GlueClient[] clients = [.. Enumerable.Range(0, count).Select(_ => new GlueClient())];
        IPeerService[] proxies = [.. clients.Select(client => client.CreateProxy<IPeerService>(peer.GlueAddress))];
        OpenAsync(proxies).GetAwaiter().GetResult();
        Race race = Race.Run(
            run.Share(),
            CallLoad.Callers("link", 256, () => link.AddAsync(1, 2)),
            Contender.Async("many", calls => CallAsync(proxies, calls)));
        run.Report("connections.1000", race.RateRatio("many", "link"));
        Task.WhenAll(clients.Select(client => client.DisposeAsync().AsTask())).GetAwaiter().GetResult();
    }

    private static async Task OpenAsync(IPeerService[] proxies)
    {
        foreach (IPeerService[] some in proxies.Chunk(OpenedAtOnce))
            await Task.WhenAll(some.Select(proxy => proxy.AddAsync(1, 2).AsTask()));
    }

    private static Task CallAsync(IPeerService[] proxies, int calls)
    {
        int left = calls;
        return Task.WhenAll(proxies.Select(proxy => Task.Run(() => LoopAsync(proxy))));

        async Task LoopAsync(IPeerService proxy)
        {
            while (Interlocked.Decrement(ref left) >= 0)
                await proxy.AddAsync(1, 2);
        }
    }
}
