using Cluster.Benchmarks.Harness;

namespace Cluster.Benchmarks.Rivals;

/// <summary>The states of a cluster of three nodes beside Redis and Orleans, each with its servers in other processes
/// and its client in this one; no copies, no disk. Stateless.</summary>
internal static class RivalRows
{
    private const string SlidingRow = "sliding.redis.64";
    private const int SlidingCallers = 64;

    private static readonly int[] CallerCounts = [16, 64, 256];
    private static readonly string[] Works = ["get", "set"];
    private static readonly string[] RedisRows =
        [SlidingRow, "get.redis.1.p50", "set.redis.1.p50", .. RowsOf("redis")];

    private static readonly string[] OrleansRows = [.. RowsOf("orleans")];

    public static readonly string[] Names = [.. RedisRows, .. OrleansRows];

    public static void Run(BenchmarkRun run)
    {
        // Rows beside a server that this machine does not have are left out, and printed as not ok.
        using var sides = RivalSides.Start(run.Wants(RedisRows), run.Wants(OrleansRows));
        sides.FillAsync().GetAwaiter().GetResult();
        sides.WarmUp(run);
        if (sides.Redis is { } redis)
            RunLatency(run, sides.Cluster, redis);
        foreach (var callers in CallerCounts)
        {
            RunRace(run, "get", callers, sides.Gets(callers));
            RunRace(run, "set", callers, sides.Sets(callers));
        }

        RunRace(run, "sliding", SlidingCallers, sides.SlidingGets(SlidingCallers));
    }

    private static IEnumerable<string> RowsOf(string rival) =>
        Works.SelectMany(work => CallerCounts.Select(callers => $"{work}.{rival}.{callers}"));

    // The first side is ours. Without a wanted row, or without a rival, nothing runs.
    private static void RunRace(BenchmarkRun run, string work, int callers, Contender[] sides)
    {
        string[] rows = [.. sides.Skip(1).Select(rival => $"{work}.{rival.Name}.{callers}")];
        if (!run.Wants(rows))
            return;
        var race = Race.Run(run.Share(rows.Length), sides);
        for (var index = 0; index < rows.Length; index++)
            run.Report(rows[index], race.RateRatio(sides[0].Name, sides[index + 1].Name));
    }

    private static void RunLatency(BenchmarkRun run, ClusterSide ours, RedisSide redis)
    {
        if (run.Wants("get.redis.1.p50"))
        {
            run.Report("get.redis.1.p50", LatencyDuel.Run(
                run.Share(),
                async number => KeyedLoad.Check(await ours.Values.GetAsync(KeyedLoad.KeyAt(number))),
                async number => KeyedLoad.Check(await redis.GetAsync(KeyedLoad.KeyAt(number)))));
        }

        if (run.Wants("set.redis.1.p50"))
        {
            run.Report("set.redis.1.p50", LatencyDuel.Run(
                run.Share(),
                async number => await ours.Values.PutAsync(KeyedLoad.KeyAt(number), KeyedLoad.Value),
                async number => await redis.SetAsync(KeyedLoad.KeyAt(number))));
        }
    }
}
