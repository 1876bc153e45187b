using Cluster.Benchmarks.Glue;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Caching.StackExchangeRedis;
using StackExchange.Redis;

namespace Cluster.Benchmarks.Rivals;

/// <summary>A Redis server in another process, its usual client and ASP.NET's cache over it in this one, all as they
/// come. Disposal ends them.</summary>
internal sealed class RedisSide : IDisposable
{
    private readonly ChildPeer _server;
    private readonly ConnectionMultiplexer _connection;
    private readonly RedisCache _cache;

    private RedisSide(ChildPeer server)
    {
        _server = server;
        var address = $"127.0.0.1:{server.FirstLine}";
        _connection = ConnectionMultiplexer.Connect(address);
        Values = _connection.GetDatabase();
        _cache = new RedisCache(new RedisCacheOptions { Configuration = address, InstanceName = "sessions:" });
    }

    public IDatabase Values { get; }

    public IDistributedCache Sessions => _cache;

    /// <summary>Starts the server; null where there is none on this machine.</summary>
    public static RedisSide? TryStart()
    {
        var server = ChildPeer.Start(ServerHost.Redis);
        if (server.FirstLine.Length > 0)
            return new RedisSide(server);
        server.Dispose();
        return null;
    }

    public async Task FillAsync()
    {
        await KeyedLoad.FillAsync(SetAsync);
        var options = new DistributedCacheEntryOptions { SlidingExpiration = StateNode.Window };
        await KeyedLoad.FillAsync(async key =>
        {
            await Sessions.SetAsync(key, KeyedLoad.Value, options);
            return true;
        });
    }

    public ValueTask<RedisValue> GetAsync(string key) => new(Values.StringGetAsync(key));

    public ValueTask<bool> SetAsync(string key) => new(Values.StringSetAsync(key, KeyedLoad.Value));

    public ValueTask<byte[]?> GetSessionAsync(string key) => new(Sessions.GetAsync(key));

    public void Dispose()
    {
        _cache.Dispose();
        _connection.Dispose();
        _server.Dispose();
    }
}
