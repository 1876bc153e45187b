using Cluster.Benchmarks.Harness;
using Cluster.Glue;

namespace Cluster.Benchmarks.Glue;

/// <summary>Gigabytes per second of large calls each way, and what small calls notice of them. Two processes; windows
/// of 8 MiB on both sides. Stateless.</summary>
internal static class BulkRows
{
    private const int LoadBytes = 1024 * 1024;
    private const int Callers = 4;

    public static void Run(BenchmarkRun run, PeerProcess peer)
    {
        if (!run.Wants("bulk.up", "bulk.down", "bulk.p99"))
            return;
        var bulk = GlueClient.Connect<IBulkPeer>(peer.GlueAddress, new GlueClientOptions
        {
            WindowBytes = 8 * 1024 * 1024,
            DefaultDeadline = TimeSpan.FromMinutes(1),
        });
        var load = new byte[LoadBytes];
        // What the area warms up with are small calls only.
        CallLoad.WarmUp(
            TimeSpan.FromSeconds(1.5),
            count => MoveAsync((long)count * LoadBytes, Callers, async () => await bulk.TakeAsync(load)),
            count => MoveAsync((long)count * LoadBytes, Callers, async () => (await bulk.GiveAsync(LoadBytes)).Length));
        if (run.Wants("bulk.up"))
            run.Report("bulk.up", Best(run, "bulk.up", async () => await bulk.TakeAsync(load)));
        if (run.Wants("bulk.down"))
            run.Report("bulk.down", Best(run, "bulk.down", async () => (await bulk.GiveAsync(LoadBytes)).Length));
        if (run.Wants("bulk.p99"))
            run.Report("bulk.p99", RunSmallCallsAsync(run, bulk, load).GetAwaiter().GetResult());
    }

    private static double Best(BenchmarkRun run, string row, Func<Task<int>> call)
    {
        var bytes = run.Size(row);
        double best = 0;
        for (var round = 0; round < 3; round++)
            best = Math.Max(best, MoveAsync(bytes, Callers, call).GetAwaiter().GetResult());
        return best / 1e9;
    }

    private static async Task<double> MoveAsync(long bytes, int callers, Func<Task<int>> call)
    {
        var left = bytes;
        var started = Stopwatch.GetTimestamp();
        await Task.WhenAll(Enumerable.Range(0, callers).Select(_ => Task.Run(LoopAsync)));
        return bytes / Stopwatch.GetElapsedTime(started).TotalSeconds;

        async Task LoopAsync()
        {
            while (Interlocked.Add(ref left, -LoadBytes) >= 0)
            {
                if (await call() != LoadBytes)
                    throw new InvalidOperationException("Not all of the load has arrived.");
            }
        }
    }

    private static async Task<double> RunSmallCallsAsync(BenchmarkRun run, IBulkPeer bulk, byte[] load)
    {
        var bytes = run.Size("bulk.p99");
        await TailAsync(bulk, () => false, 2000);
        var best = double.MaxValue;
        for (var round = 0; round < 2; round++)
        {
            var idle = await TailAsync(bulk, () => false, 2000);
            Task moving = MoveAsync(bytes, 1, async () => await bulk.TakeAsync(load));
            var loaded = await TailAsync(bulk, () => moving.IsCompleted, int.MaxValue);
            await moving;
            best = Math.Min(best, loaded / idle);
        }

        return best;
    }

    private static async Task<double> TailAsync(IBulkPeer bulk, Func<bool> isOver, int count)
    {
        var times = new List<double>();
        await Task.Yield();
        while (times.Count < count && !isOver())
        {
            var started = Stopwatch.GetTimestamp();
            await bulk.AddAsync(1, 2);
            times.Add(Stopwatch.GetElapsedTime(started).TotalNanoseconds);
        }

        times.Sort();
        return times[(int)(times.Count * 0.99)];
    }
}
