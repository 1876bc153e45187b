using Cluster.Benchmarks.Harness;
using Cluster.Glue;

namespace Cluster.Benchmarks.Glue;

/// <summary>256 callers on one link while a thousand others are open; and a thousand links with one caller each, beside
/// a quarter of them and as many bare connections and sockets. Stateless.</summary>
internal static class ConnectionRows
{
    private const int OpenedAtOnce = 50;
    private const int FewCount = 256;

    /// <summary>The rows that are measured here, together.</summary>
    public static IReadOnlyList<string> Names { get; } =
        ["connections.1000", "connections.1000.each", "connections.1000.bare", "connections.1000.tcp"];

    public static void Run(BenchmarkRun run, PeerProcess peer, IPeerService link)
    {
        var count = (int)run.Size("connections.1000");
        var before = RateOf(run, link);
        GlueClient[] clients = [.. Enumerable.Range(0, count).Select(_ => new GlueClient())];
        Func<Task>[] links = [.. clients
            .Select(client => client.CreateProxy<IPeerService>(peer.GlueAddress))
            .Select(proxy => (Func<Task>)(() => proxy.AddAsync(1, 2).AsTask()))];
        OpenAsync(links).GetAwaiter().GetResult();
        var beside = RateOf(run, link);
        // Beside the rate before only: after them would take as long as it takes to close them.
        run.Report("connections.1000", beside / before);
        if (run.Wants([.. Names.Skip(1)]))
            RunEach(run, peer, links, (before + beside) / 2);
        Task.WhenAll(clients.Select(client => client.DisposeAsync().AsTask())).GetAwaiter().GetResult();
    }

    // These are seconds apart, so the machine's drift does not cancel out.
    private static double RateOf(BenchmarkRun run, IPeerService link) =>
        Race.Run(run.Share() / 3, CallLoad.Callers("link", FewCount, () => link.AddAsync(1, 2)))
            .FastestRate("link");

    private static void RunEach(BenchmarkRun run, PeerProcess peer, Func<Task>[] links, double one)
    {
        BareEcho[] echoes = [.. links.Select(_ => new BareEcho(peer))];
        TcpPing[] sockets = [.. links.Select(_ => new TcpPing(peer))];
        Func<Task>[] bare = [.. echoes.Select(echo => (Func<Task>)echo.EchoAsync)];
        Func<Task>[] tcp = [.. sockets.Select(socket => (Func<Task>)socket.PingAsync)];
        OpenAsync(bare).GetAwaiter().GetResult();
        var race = Race.Run(
            run.Share(),
            Contender.Async("few", calls => CallAsync(links[..FewCount], calls)),
            Contender.Async("many", calls => CallAsync(links, calls)),
            Contender.Async("bare", calls => CallAsync(bare, calls)),
            Contender.Async("tcp", calls => CallAsync(tcp, calls)));
        run.Report("connections.1000.each", race.RateRatio("many", "few"));
        run.Report("connections.1000.bare", race.RateRatio("many", "bare"));
        run.Report("connections.1000.tcp", race.FastestRate("tcp") / one);
        foreach (var rival in (IDisposable[])[.. echoes, .. sockets])
            rival.Dispose();
    }

    private static async Task OpenAsync(Func<Task>[] calls)
    {
        foreach (var some in calls.Chunk(OpenedAtOnce))
            await Task.WhenAll(some.Select(call => call()));
    }

    private static Task CallAsync(Func<Task>[] callers, int calls)
    {
        var left = calls;
        return Task.WhenAll(callers.Select(call => Task.Run(() => LoopAsync(call))));

        async Task LoopAsync(Func<Task> call)
        {
            while (Interlocked.Decrement(ref left) >= 0)
                await call();
        }
    }
}
