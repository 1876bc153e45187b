using Microsoft.Extensions.Caching.Distributed;

namespace Cluster.Nodes.AspNetCore.Tests.Caching;

/// <summary>One implementation of the distributed cache of .NET, started for one class of tests.</summary>
public abstract class CacheSide : IAsyncLifetime
{
    private int _lastKey;

    /// <summary>The cache, once <see cref="InitializeAsync"/> has ended.</summary>
    public IDistributedCache Cache { get; protected set; } = null!;

    /// <summary>The cache with its buffer forms.</summary>
    public IBufferDistributedCache Buffers => (IBufferDistributedCache)Cache;

    public abstract Task InitializeAsync();

    public abstract Task DisposeAsync();

    /// <summary>Makes a key that no other test uses.</summary>
    /// <param name="name">The beginning of the key.</param>
    public virtual string NewKey(string name = "key") => $"{name}-{Interlocked.Increment(ref _lastKey)}";
}
