using Cluster.StateStore;
using Cluster.Testing;
using Cluster.Testing.Redis;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using StackExchange.Redis;

namespace Cluster.Nodes.Storage.Redis.Tests;

/// <summary>What is special about Redis: how its keys look, strangers, a server that comes later, a whole
/// cluster.</summary>
public sealed class RedisStateStorageTests
{
    private static readonly CancellationToken None = CancellationToken.None;

    [RequiresRedisFact]
    public async Task Removal_HasATimeToLive_AndAValueHasNone()
    {
        await using var server = await RedisServer.StartAsync();
        await using var connection = await ConnectionMultiplexer.ConnectAsync(server.Address);
        var storage = Open(options => options.UseRedis(_ => connection, "tests:"));
        await storage.StoreAsync("a", new StorageRecord<string>("value", 7), None);
        Assert.Null(await connection.GetDatabase().KeyTimeToLiveAsync("tests:a"));
        await storage.StoreAsync("a", StorageRecord.Removed<string>(8), None);
        var left = await connection.GetDatabase().KeyTimeToLiveAsync("tests:a");
        Assert.InRange(left!.Value, TimeSpan.FromHours(23), TimeSpan.FromDays(1));
        await storage.StoreAsync("a", new StorageRecord<string>("again", 9), None);
        Assert.Null(await connection.GetDatabase().KeyTimeToLiveAsync("tests:a"));
        Assert.Equal("again", (await storage.LoadAsync("a", None))!.Value);
    }

    [RequiresRedisFact]
    public async Task Key_OfSomebodyElse_IsRefusedAndNamed()
    {
        await using var server = await RedisServer.StartAsync();
        await using var connection = await ConnectionMultiplexer.ConnectAsync(server.Address);
        await connection.GetDatabase().HashSetAsync("tests:a", "revision", "new");
        var storage = Open(options => options.UseRedis(_ => connection, "tests:"));
        var refusal = await Assert.ThrowsAsync<InvalidDataException>(async () => await storage.LoadAsync("a", None));
        Assert.Contains("tests:a", refusal.Message, StringComparison.Ordinal);
        Assert.Contains("keyPrefix", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Configuration_ThatCannotBeRead_IsRefusedAtOnce() =>
        Assert.ThrowsAny<ArgumentException>(() => Open(options => options.UseRedis("host,noSuchOption=5", "tests:")));

    [RequiresRedisFact]
    public async Task Server_ThatComesLater_IsFound()
    {
        var port = FreePorts.Next();
        var configuration = $"127.0.0.1:{port},connectTimeout=200,syncTimeout=200,asyncTimeout=200";
        var storage = Open(options => options.UseRedis(configuration, "tests:"));
        Assert.False(await TryStoreAsync());
        await using var server = await RedisServer.StartAsync(port);
        await Eventually.TrueAsync(async () => await TryStoreAsync(), TimeSpan.FromSeconds(30));
        Assert.Equal("value", (await storage.LoadAsync("a", None))!.Value);
        await ((IAsyncDisposable)storage).DisposeAsync();

        async ValueTask<bool> TryStoreAsync()
        {
            try
            {
                return await storage.StoreAsync("a", new StorageRecord<string>("value", 7), None) == 7;
            }
            catch (Exception failure) when (failure is RedisException or RedisTimeoutException)
            {
                return false;
            }
        }
    }

    [RequiresRedisFact]
    public async Task Cluster_EndedAsAWhole_FindsItsValuesInRedis()
    {
        await using var server = await RedisServer.StartAsync();
        using (var first = Build())
        {
            await first.StartAsync();
            var names = first.Services.GetRequiredService<IPartitionedState<int, string>>();
            for (var index = 0; index < 50; index++)
                await names.PutAsync(index, $"name {index}");
            await names.RemoveAsync(7);
            await first.StopAsync();
        }

        using var second = Build();
        await second.StartAsync();
        var found = second.Services.GetRequiredService<IPartitionedState<int, string>>();
        for (var index = 0; index < 50; index++)
            Assert.Equal(index == 7 ? null : $"name {index}", await found.GetAsync(index));
        await second.StopAsync();

        IHost Build()
        {
            var builder = Host.CreateEmptyApplicationBuilder(null);
            builder.AddCluster(options => options.PartitionCount = 16)
                .AddStoredState<int, string>("names", storage => storage.UseRedis(server.Address, "names:"));
            return builder.Build();
        }
    }

    private static IStateStorage<string, string> Open(Action<StoredStateOptions<string, string>> configure)
    {
        var options = new StoredStateOptions<string, string>();
        configure(options);
        return options.Storage!(new ServiceCollection().BuildServiceProvider());
    }
}
