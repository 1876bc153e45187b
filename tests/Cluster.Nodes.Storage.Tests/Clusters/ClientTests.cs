using Cluster.Nodes.Storage.Tests.Storages;
using Cluster.Testing;
using Xunit.Abstractions;
using static Cluster.Nodes.Storage.Tests.Clusters.StorageCluster;
using static Cluster.Nodes.Storage.Tests.Clusters.WriteBehindTests;

namespace Cluster.Nodes.Storage.Tests.Clusters;

/// <summary>A client asks the storage for what no node has in memory. It stores nothing: the owners do.</summary>
public sealed class ClientTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(StorageWrites.Through)]
    [InlineData(StorageWrites.Behind)]
    public async Task Client_LoadsFromTheStorage_AndLeavesStoresToTheOwners(StorageWrites writes)
    {
        await using var cluster = new StorageCluster(output);
        await cluster.StartAsync(2, Configure);
        var own = new MemoryStorage<string, Account>();
        own.Set("stored", new StorageRecord<Account>(new Account { Balance = 5 }, 70));
        var client = await cluster.ConnectAsync(options =>
        {
            Configure(options);
            options.Storage = _ => own;
        });

        Assert.Equal(5, (await client.Accounts.GetAsync("stored"))!.Balance);
        Assert.Equal(5, (await client.Accounts.GetAsync("stored"))!.Balance);
        Assert.Equal((1, 0), (own.LoadCount, cluster.Storage.LoadCount));
        for (var index = 0; index < 20; index++)
            await client.Accounts.PutAsync($"{index}", new Account { Balance = index });
        Assert.Equal(6, await client.Accounts.UpdateAsync("stored", new Deposit(1)));
        Assert.True(await client.Accounts.RemoveAsync("19"));
        await Eventually.TrueAsync(() => Balances().SequenceEqual(Enumerable.Range(0, 19)), Bound);
        await Eventually.TrueAsync(() => cluster.Storage["stored"]?.Value?.Balance == 6, Bound);
        await Eventually.TrueAsync(() => cluster.Storage["19"] is null or { IsRemoved: true }, Bound);

        await client.Host.StopAsync();
        Assert.Equal(0, own.StoreCount);
        Assert.Equal(0, client.Writer.WaitingCount);

        IEnumerable<int> Balances() =>
            Enumerable.Range(0, 19).Select(index => cluster.Storage[$"{index}"]?.Value?.Balance ?? -1);

        void Configure(StoredStateOptions<string, Account> options)
        {
            Behind(TimeSpan.FromMilliseconds(10))(options);
            options.Writes = writes;
        }
    }
}
