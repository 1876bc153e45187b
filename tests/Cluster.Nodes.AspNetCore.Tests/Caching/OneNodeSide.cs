using Cluster.Nodes.AspNetCore.Tests.Clusters;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Nodes.AspNetCore.Tests.Caching;

/// <summary>The cache of the cluster on its only node, which owns all keys.</summary>
public sealed class OneNodeSide : CacheSide
{
    private OneNode? _node;

    public override async Task InitializeAsync()
    {
        _node = await OneNode.StartAsync(static cluster => cluster.AddDistributedCache());
        Cache = _node.Services.GetRequiredService<IDistributedCache>();
    }

    public override async Task DisposeAsync() => await _node!.DisposeAsync();
}
