using Cluster.Testing.Redis;
using Microsoft.Extensions.Caching.StackExchangeRedis;

namespace Cluster.Nodes.AspNetCore.Tests.Caching;

/// <summary>The stock cache over a Redis server of its own.</summary>
public sealed class RedisSide : CacheSide
{
    private RedisServer? _server;

    // Not started where Redis is missing: then all tests of the class are skipped.
    public override async Task InitializeAsync()
    {
        if (RedisBinary.Missing is not null)
            return;
        _server = await RedisServer.StartAsync();
        Cache = new RedisCache(new RedisCacheOptions { Configuration = _server.Address, InstanceName = "tests:" });
    }

    public override async Task DisposeAsync()
    {
        (Cache as RedisCache)?.Dispose();
        if (_server is not null)
            await _server.DisposeAsync();
    }
}
