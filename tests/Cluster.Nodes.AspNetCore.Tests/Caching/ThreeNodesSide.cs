using Cluster.Nodes.AspNetCore.Tests.Clusters;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Nodes.AspNetCore.Tests.Caching;

/// <summary>The cache of the cluster on the first of three nodes. The other nodes own all keys, and keep a copy of each
/// value.</summary>
public sealed class ThreeNodesSide : CacheSide
{
    private const string State = "caches";

    private readonly WebCluster _cluster = new();

    public override async Task InitializeAsync()
    {
        await _cluster.StartAsync(
            3, static (_, cluster) => cluster.AddDistributedCache(State, cache => cache.Backups = 1));
        Cache = _cluster.Nodes[0].Services.GetRequiredService<IDistributedCache>();
    }

    public override Task DisposeAsync() => _cluster.DisposeAsync().AsTask();

    public override string NewKey(string name = "key")
    {
        while (true)
        {
            var key = base.NewKey(name);
            if (_cluster.OwnerOf(State, key) != 0)
                return key;
        }
    }
}
