using Cluster.Benchmarks.Glue;
using Cluster.Benchmarks.Rivals;
using Cluster.Nodes;
using Microsoft.AspNetCore.Session;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.Caching.StackExchangeRedis;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging.Abstractions;
using StackExchange.Redis;

namespace Cluster.Benchmarks.Web;

/// <summary>What ASP.NET Core remembers, on each side: a client of three node processes, a node in this process that
/// owns all keys, and the stock implementations over a Redis server in another process. Disposal ends them.</summary>
internal sealed class WebSides : IDisposable
{
    private const long AlonePileBytes = 1L << 30;

    private readonly string _folder = Directory.CreateTempSubdirectory("cluster-web-").FullName;
    private readonly ChildPeer[] _nodes;
    private readonly ChildPeer _redisServer;
    private readonly ChildPeer _garnetServer;
    private readonly IHost _client;
    private readonly IHost _alone;
    private readonly RedisCache _redisCache;
    private readonly RedisCache? _garnetCache;
    private readonly ConnectionMultiplexer _redis;
    private readonly ServiceProvider _stock;

    private WebSides(ChildPeer redisServer, ChildPeer garnetServer)
    {
        _redisServer = redisServer;
        _garnetServer = garnetServer;
        var starts = Enumerable.Range(1, StateNode.NodeCount)
            .Select(number => Task.Run(() => ChildPeer.Start(WebNode.Argument, _folder, $"node-{number}")));
        _nodes = Task.WhenAll(starts).GetAwaiter().GetResult();
        _client = WebNode.Build(_folder, "client", ClusterRole.Client);
        _client.Start();
        _alone = WebNode.BuildAlone(AlonePileBytes);
        _alone.Start();
        _redisCache = CacheOver(redisServer);
        _garnetCache = garnetServer.FirstLine.Length > 0 ? CacheOver(garnetServer) : null;
        _redis = ConnectionMultiplexer.Connect($"{AddressOf(redisServer)},allowAdmin=true");
        _stock = new ServiceCollection().AddHybridCache().Services.BuildServiceProvider();
        StockSessions = new DistributedSessionStore(_redisCache, NullLoggerFactory.Instance);
    }

    /// <summary>Our cache, for keys of other nodes.</summary>
    public IDistributedCache Remote => Cache(_client, WebNode.Plain);

    /// <summary>The same with one copy of each value.</summary>
    public IDistributedCache Backed => Cache(_client, WebNode.Backed);

    /// <summary>Our cache, for keys of this node.</summary>
    public IDistributedCache Own => Cache(_alone, WebNode.Plain);

    public IDistributedCache Redis => _redisCache;

    /// <summary>Null where this machine has no Garnet server.</summary>
    public IDistributedCache? Garnet => _garnetCache;

    public ISessionStore OurSessions => _client.Services.GetRequiredService<ISessionStore>();

    public ISessionStore StockSessions { get; }

    public HybridCache OurHybrid => _client.Services.GetRequiredService<HybridCache>();

    public HybridCache StockHybrid => _stock.GetRequiredService<HybridCache>();

    /// <summary>Starts all sides; null where this machine has no Redis server.</summary>
    public static WebSides? TryStart()
    {
        var garnet = Task.Run(static () => ChildPeer.Start(ServerHost.Garnet));
        var redis = ChildPeer.Start(ServerHost.Redis);
        if (redis.FirstLine.Length > 0)
            return new WebSides(redis, garnet.GetAwaiter().GetResult());
        redis.Dispose();
        garnet.GetAwaiter().GetResult().Dispose();
        return null;
    }

    /// <summary>How many commands the Redis server has carried out.</summary>
    public long CountRedisCommands()
    {
        var stats = _redis.GetServer(_redis.GetEndPoints()[0]).Info("stats").SelectMany(static group => group);
        return long.Parse(
            stats.First(static pair => pair.Key == "total_commands_processed").Value, CultureInfo.InvariantCulture);
    }

    public void Dispose()
    {
        _client.StopAsync().GetAwaiter().GetResult();
        _client.Dispose();
        _alone.StopAsync().GetAwaiter().GetResult();
        _alone.Dispose();
        _stock.Dispose();
        _redis.Dispose();
        _redisCache.Dispose();
        _redisServer.Dispose();
        _garnetCache?.Dispose();
        _garnetServer.Dispose();
        foreach (var node in _nodes)
            node.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private static string AddressOf(ChildPeer server) => $"127.0.0.1:{server.FirstLine}";

    private static RedisCache CacheOver(ChildPeer server) =>
        new(new RedisCacheOptions { Configuration = AddressOf(server), InstanceName = "web:" });

    private static IDistributedCache Cache(IHost host, string name) =>
        host.Services.GetRequiredKeyedService<IDistributedCache>(name);
}
