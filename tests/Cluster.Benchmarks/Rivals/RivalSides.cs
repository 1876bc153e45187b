using Cluster.Benchmarks.Glue;
using Cluster.Benchmarks.Harness;

namespace Cluster.Benchmarks.Rivals;

/// <summary>All sides of the comparison with their servers: ours, and the rivals that are wanted and that this machine
/// has. Disposal ends them.</summary>
internal sealed class RivalSides : IDisposable
{
    private const string Ours = "ours";
    private const string RedisName = "redis";
    private const string OrleansName = "orleans";
    private const int WarmCallers = 64;

    private RivalSides(ClusterSide cluster, RedisSide? redis, OrleansValues? orleans)
    {
        Cluster = cluster;
        Redis = redis;
        Orleans = orleans;
    }

    public ClusterSide Cluster { get; }

    /// <summary>Null where no row wants it, or this machine has no Redis server.</summary>
    public RedisSide? Redis { get; }

    /// <summary>Null where no row wants it.</summary>
    public OrleansValues? Orleans { get; }

    /// <summary>Starts the servers of all sides at the same time, because a start waits more than it works.</summary>
    /// <param name="wantsRedis">Whether any row is measured against Redis.</param>
    /// <param name="wantsOrleans">Whether any row is measured against Orleans.</param>
    public static RivalSides Start(bool wantsRedis, bool wantsOrleans)
    {
        var cluster = Task.Run(static () => new ClusterSide());
        var redis = Task.Run(() => wantsRedis ? RedisSide.TryStart() : null);
        var orleans = Task.Run(() => wantsOrleans ? new OrleansValues() : null);
        Task.WaitAll(cluster, redis, orleans);
        return new RivalSides(cluster.Result, redis.Result, orleans.Result);
    }

    public Task FillAsync() => Task.WhenAll(
        Cluster.FillAsync(),
        Redis?.FillAsync() ?? Task.CompletedTask,
        Orleans?.FillAsync() ?? Task.CompletedTask);

    /// <summary>Makes calls of all kinds on all sides, until most of the code has been compiled twice.</summary>
    /// <param name="run">Quick or full.</param>
    public void WarmUp(BenchmarkRun run) =>
        CallLoad.WarmUp(run, [.. Gets(WarmCallers), .. Sets(WarmCallers), .. SlidingGets(WarmCallers)]);

    /// <summary>Reads of values that stay, by each side that is here; ours is the first.</summary>
    public Contender[] Gets(int callers) =>
    [
        KeyedLoad.Reads(Ours, callers, key => Cluster.Values.GetAsync(key), static value => value),
        .. Redis is null
            ? [] : new[] { KeyedLoad.Reads(RedisName, callers, Redis.GetAsync, static value => (byte[]?)value) },
        .. Orleans is null
            ? [] : new[] { KeyedLoad.Reads(OrleansName, callers, Orleans.GetAsync, static value => value) },
    ];

    /// <summary>Writes of values that stay, by each side that is here; ours is the first.</summary>
    public Contender[] Sets(int callers) =>
    [
        KeyedLoad.Writes(Ours, callers, key => Cluster.Values.PutAsync(key, KeyedLoad.Value)),
        .. Redis is null ? [] : new[] { KeyedLoad.Writes(RedisName, callers, Redis.SetAsync) },
        .. Orleans is null ? [] : new[] { KeyedLoad.Writes(OrleansName, callers, Orleans.SetAsync) },
    ];

    /// <summary>Reads of values whose life begins anew with each of them; ours is the first.</summary>
    public Contender[] SlidingGets(int callers) =>
    [
        KeyedLoad.Reads(Ours, callers, key => Cluster.Sessions.GetAsync(key), static value => value),
        .. Redis is null
            ? [] : new[] { KeyedLoad.Reads(RedisName, callers, Redis.GetSessionAsync, static value => value) },
    ];

    public void Dispose()
    {
        Orleans?.Dispose();
        Redis?.Dispose();
        Cluster.Dispose();
    }
}
