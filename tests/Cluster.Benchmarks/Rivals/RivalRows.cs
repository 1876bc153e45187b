using Cluster.Benchmarks.Glue;
using Cluster.Benchmarks.Harness;

namespace Cluster.Benchmarks.Rivals;

/// <summary>The states of a cluster of three nodes beside Redis and Orleans, each with its servers in other processes and
/// its client in this one; no copies, no disk. Stateless.</summary>
internal static class RivalRows
{
    private const int SessionCallers = 64;

    private static readonly int[] CallerCounts = [16, 64, 256];
    private static readonly string[] Works = ["get", "set"];
    private static readonly string[] RedisRows =
    [
        "get.redis.1.p50", "set.redis.1.p50", "sliding.redis.64",
        .. Works.SelectMany(work => CallerCounts.Select(callers => $"{work}.redis.{callers}")),
    ];

    private static readonly string[] OrleansRows =
        [.. Works.SelectMany(work => CallerCounts.Select(callers => $"{work}.orleans.{callers}"))];

    public static readonly string[] Names = [.. RedisRows, .. OrleansRows];

    public static void Run(BenchmarkRun run)
    {
        using var ours = new ClusterSide();

        // Rows beside a server that this machine does not have are left out, and printed as not ok.
        using var redis = run.Wants(RedisRows) ? RedisSide.TryStart() : null;
        using var orleans = run.Wants(OrleansRows) ? new OrleansValues() : null;
        Task.WhenAll(ours.FillAsync(), redis?.FillAsync() ?? Task.CompletedTask, orleans?.FillAsync() ?? Task.CompletedTask)
            .GetAwaiter().GetResult();
        WarmUp(run, ours, redis, orleans);
        foreach (var callers in CallerCounts)
        {
            Race(run, "get", callers, Gets(ours, redis, orleans, callers));
            Race(run, "set", callers, Sets(ours, redis, orleans, callers));
        }

        if (redis is null)
            return;
        RaceSessions(run, ours, redis);
        RunLatency(run, ours, redis);
    }

    private static void WarmUp(BenchmarkRun run, ClusterSide ours, RedisSide? redis, OrleansValues? orleans)
    {
        const int callers = 64;
        var sides = Gets(ours, redis, orleans, callers).Concat(Sets(ours, redis, orleans, callers));
        if (redis is not null)
            sides = sides.Concat(Sessions(ours, redis));
        CallLoad.WarmUp(
            TimeSpan.FromSeconds(run.IsQuick ? 5 : 30),
            [.. sides.Select(side => (Func<int, Task>)(count => Task.Run(() => side.Body(count))))]);
    }

    private static void Race(BenchmarkRun run, string work, int callers, Contender[] sides)
    {
        string[] rows = [.. sides.Skip(1).Select(rival => $"{work}.{rival.Name}.{callers}")];
        if (!run.Wants(rows))
            return;
        var race = Harness.Race.Run(run.Share(rows.Length), sides);
        foreach (var rival in sides.Skip(1))
            run.Report($"{work}.{rival.Name}.{callers}", race.RateRatio("ours", rival.Name));
    }

    private static void RaceSessions(BenchmarkRun run, ClusterSide ours, RedisSide redis)
    {
        if (!run.Wants("sliding.redis.64"))
            return;
        var race = Harness.Race.Run(run.Share(), Sessions(ours, redis));
        run.Report("sliding.redis.64", race.RateRatio("ours", "redis"));
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

    private static Contender[] Gets(ClusterSide ours, RedisSide? redis, OrleansValues? orleans, int callers) =>
    [
        KeyedLoad.Reads("ours", callers, key => ours.Values.GetAsync(key), static value => value),
        .. redis is null ? [] : new[] { KeyedLoad.Reads("redis", callers, redis.GetAsync, static value => (byte[]?)value) },
        .. orleans is null ? [] : new[] { KeyedLoad.Reads("orleans", callers, orleans.GetAsync, static value => value) },
    ];

    private static Contender[] Sets(ClusterSide ours, RedisSide? redis, OrleansValues? orleans, int callers) =>
    [
        KeyedLoad.Writes("ours", callers, key => ours.Values.PutAsync(key, KeyedLoad.Value)),
        .. redis is null ? [] : new[] { KeyedLoad.Writes("redis", callers, redis.SetAsync) },
        .. orleans is null ? [] : new[] { KeyedLoad.Writes("orleans", callers, orleans.SetAsync) },
    ];

    private static Contender[] Sessions(ClusterSide ours, RedisSide redis) =>
    [
        KeyedLoad.Reads("ours", SessionCallers, key => ours.Sessions.GetAsync(key), static value => value),
        KeyedLoad.Reads("redis", SessionCallers, redis.GetSessionAsync, static value => value),
    ];
}
