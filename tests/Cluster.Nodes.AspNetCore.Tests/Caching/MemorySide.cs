using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Caching.Memory;
using Microsoft.Extensions.Options;

namespace Cluster.Nodes.AspNetCore.Tests.Caching;

/// <summary>The cache of .NET that lies in the memory of the process.</summary>
public sealed class MemorySide : CacheSide
{
    public override Task InitializeAsync()
    {
        Cache = new MemoryDistributedCache(Options.Create(new MemoryDistributedCacheOptions()));
        return Task.CompletedTask;
    }

    public override Task DisposeAsync() => Task.CompletedTask;
}
