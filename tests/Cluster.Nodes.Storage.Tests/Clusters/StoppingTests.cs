using Cluster.Nodes.Storage.Values;
using Cluster.Testing;
using Xunit.Abstractions;
using static Cluster.Nodes.Storage.Tests.Clusters.StorageCluster;
using static Cluster.Nodes.Storage.Tests.Clusters.WriteBehindTests;

namespace Cluster.Nodes.Storage.Tests.Clusters;

/// <summary>What a node does with the values that wait when it stops in order.</summary>
public sealed class StoppingTests(ITestOutputHelper output)
{
    private const int LeftBehind = 5006;
    private const int StoresFail = 7003;
    private const int NotStored = 7011;

    private static readonly TimeSpan Long = TimeSpan.FromMinutes(5);

    [Fact]
    public async Task Node_StoppedInOrder_HasStoredEverything()
    {
        await using var cluster = new StorageCluster(output);
        cluster.Logs.Allow(LeftBehind);
        var node = (await cluster.StartAsync(1, Behind(Long)))[0];
        for (var index = 0; index < 200; index++)
            await node.Accounts.PutAsync($"{index}", new Account { Balance = index });
        await node.Host.StopAsync();
        for (var index = 0; index < 200; index++)
            Assert.Equal(index, cluster.Storage[$"{index}"]!.Value!.Balance);
    }

    [Fact]
    public async Task Node_StoppedWhileTheStorageFails_HandsItsValuesOver_AndTheNextOwnerStoresThem()
    {
        await using var cluster = new StorageCluster(output);
        cluster.Logs.Allow(StoresFail);
        var nodes = await cluster.StartAsync(2, Behind(TimeSpan.FromMilliseconds(10)));
        var key = nodes[0].OwnKey();
        cluster.Storage.Failure = new TimeoutException("not now");
        await nodes[0].Accounts.PutAsync(key, new Account { Balance = 3 });
        await nodes[0].Host.StopAsync();
        Assert.Null(cluster.Storage[key]);
        cluster.Storage.Failure = null;
        await Eventually.TrueAsync(() => cluster.Storage[key]?.Value?.Balance == 3, Bound);
        Assert.DoesNotContain(cluster.Logs.Entries, entry => entry.Event.Id == NotStored);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Value_ThatNoWriterWasToldOf_IsStoredOrCountedWhenTheLastNodeStops(bool isWorking)
    {
        await using var cluster = new StorageCluster(output);
        cluster.Logs.Allow(LeftBehind, StoresFail, NotStored);
        var node = (await cluster.StartAsync(1, Behind(Long)))[0];
        for (var index = 0; index < 7; index++)
            await node.Accounts.PutAsync($"{index}", new Account());
        await node.Memory.UpdateAsync("untold", new PutValue<Account>(new Account { Balance = 4 }));
        if (!isWorking)
            cluster.Storage.Failure = new TimeoutException("not now");
        await node.Host.StopAsync();
        Assert.Equal(isWorking ? 4 : null, cluster.Storage["untold"]?.Value?.Balance);
        var errors = cluster.Logs.Entries.Where(entry => entry.Event.Id == NotStored).ToArray();
        if (isWorking)
            Assert.Empty(errors);
        else
            Assert.Contains("with 8 values", Assert.Single(errors).Message, StringComparison.Ordinal);
    }
}
