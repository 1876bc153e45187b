using Microsoft.Extensions.Caching.Distributed;

namespace Cluster.Nodes.AspNetCore.Tests.Sessions;

/// <summary>A distributed cache that counts the calls and lets a test run something before each.</summary>
internal sealed class ObservedCache(IDistributedCache inner) : IDistributedCache
{
    private readonly ConcurrentQueue<string> _calls = new();

    /// <summary>The names of the methods that were called, without the ending of the asynchronous ones.</summary>
    public IReadOnlyCollection<string> Calls => _calls;

    /// <summary>Runs before each call.</summary>
    public Func<CancellationToken, Task> BeforeCall { get; init; } = _ => Task.CompletedTask;

    public byte[]? Get(string key)
    {
        Observe("Get", default).GetAwaiter().GetResult();
        return inner.Get(key);
    }

    public async Task<byte[]?> GetAsync(string key, CancellationToken token = default)
    {
        await Observe("Get", token);
        return await inner.GetAsync(key, token);
    }

    public void Set(string key, byte[] value, DistributedCacheEntryOptions options) =>
        throw new NotSupportedException();

    public async Task SetAsync(
        string key, byte[] value, DistributedCacheEntryOptions options, CancellationToken token = default)
    {
        await Observe("Set", token);
        await inner.SetAsync(key, value, options, token);
    }

    public void Refresh(string key) => throw new NotSupportedException();

    public async Task RefreshAsync(string key, CancellationToken token = default)
    {
        await Observe("Refresh", token);
        await inner.RefreshAsync(key, token);
    }

    public void Remove(string key) => throw new NotSupportedException();

    public Task RemoveAsync(string key, CancellationToken token = default) => throw new NotSupportedException();

    private Task Observe(string name, CancellationToken cancellationToken)
    {
        _calls.Enqueue(name);
        return BeforeCall(cancellationToken);
    }
}
