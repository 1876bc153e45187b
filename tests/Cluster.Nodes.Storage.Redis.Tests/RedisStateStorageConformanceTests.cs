using Cluster.Nodes.Storage.Tests.Storages;
using Cluster.Testing.Redis;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Nodes.Storage.Redis.Tests;

/// <summary>The suite over a real Redis.</summary>
[RequiresRedis]
public sealed class RedisStateStorageConformanceTests : StateStorageConformanceTests
{
    private RedisServer? _server;

    protected override bool IsAvailable => RedisBinary.Missing is null;

    protected override async Task<IStateStorage<string, StorageSample>> OpenAsync()
    {
        _server ??= await RedisServer.StartAsync();
        var options = new StoredStateOptions<string, StorageSample>().UseRedis(_server.Address, "tests:");
        return options.Storage!(new ServiceCollection().BuildServiceProvider());
    }

    protected override async Task CloseAsync(IStateStorage<string, StorageSample> storage) =>
        await ((IAsyncDisposable)storage).DisposeAsync();

    protected override async Task EndAsync()
    {
        if (_server is not null)
            await _server.DisposeAsync();
    }
}
