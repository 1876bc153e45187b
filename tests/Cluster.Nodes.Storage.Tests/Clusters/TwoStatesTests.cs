using Cluster.Nodes.Storage.Tests.Storages;
using Cluster.Nodes.Storage.Values;
using Cluster.StateStore;
using Microsoft.Extensions.DependencyInjection;
using Xunit.Abstractions;

namespace Cluster.Nodes.Storage.Tests.Clusters;

/// <summary>Two stored states of one cluster with another number of copies, so that each has partitions of its
/// own.</summary>
public sealed class TwoStatesTests(ITestOutputHelper output)
{
    private const string Orders = "orders";
    private const int LeftBehind = 5006;
    private const int Died = 5043;
    private const int Lost = 5044;
    private const int NotScanned = 7010;

    [Fact]
    public async Task Values_ThatNoWriterWasToldOf_AreStoredInBothStorages_WhenTheLastNodeStops()
    {
        await using var cluster = new StorageCluster(output);
        cluster.Logs.Allow(LeftBehind, Died, Lost);
        var orders = new MemoryStorage<string, Account>();
        cluster.Extension = builder => builder.AddStoredState<string, Account>(Orders, storage =>
        {
            storage.Storage = _ => orders;
            storage.Backups = 0;
        });
        var node = (await cluster.StartAsync(1))[0];
        var memory = node.Host.Services
            .GetRequiredKeyedService<IPartitionedState<string, Stored<Account>>>(Orders);
        for (var index = 0; index < 40; index++)
        {
            await node.Memory.UpdateAsync($"{index}", new PutValue<Account>(new Account { Balance = index }));
            await memory.UpdateAsync($"{index}", new PutValue<Account>(new Account { Balance = -index }));
        }

        await node.Host.StopAsync();

        for (var index = 0; index < 40; index++)
        {
            Assert.Equal(index, cluster.Storage[$"{index}"]?.Value?.Balance);
            Assert.Equal(-index, orders[$"{index}"]?.Value?.Balance);
        }

        Assert.DoesNotContain(cluster.Logs.Entries, entry => entry.Event.Id == NotScanned);
    }
}
