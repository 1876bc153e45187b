using Cluster.Nodes.Storage.Values;
using Cluster.Testing;
using Xunit.Abstractions;
using static Cluster.Nodes.Storage.Tests.Clusters.StorageCluster;

namespace Cluster.Nodes.Storage.Tests.Clusters;

/// <summary>Writes that are acknowledged before the storage has them.</summary>
public sealed class WriteBehindTests(ITestOutputHelper output)
{
    private const int StoresFail = 7003;

    private static readonly TimeSpan Long = TimeSpan.FromMinutes(5);

    [Fact]
    public async Task Counter_WrittenOften_IsStoredSeldom_AndItsLastValueIsThere()
    {
        const int WriteCount = 400;
        await using var cluster = new StorageCluster(output);
        var nodes = await cluster.StartAsync(2, Behind(TimeSpan.FromMilliseconds(200)));
        var started = Stopwatch.GetTimestamp();
        await Task.WhenAll(nodes.Select(async node =>
        {
            for (var write = 0; write < WriteCount / 2; write++)
                await node.Accounts.UpdateAsync("hot", new Deposit(1));
        }));
        var windows = (int)(Stopwatch.GetElapsedTime(started) / TimeSpan.FromMilliseconds(200)) + 1;
        await Eventually.TrueAsync(() => cluster.Storage["hot"]?.Value?.Balance == WriteCount, Bound);
        output.WriteLine($"{cluster.Storage.StoreCount} stores for {WriteCount} writes in {windows} windows");
        Assert.InRange(cluster.Storage.StoreCount, 1, Math.Min(windows + 1, WriteCount / 2));
    }

    [Fact]
    public async Task Write_IsAcknowledgedAndSeen_BeforeTheStorageHasIt()
    {
        await using var cluster = new StorageCluster(output);
        var gate = new TaskCompletionSource();
        cluster.Storage.BeforeStore = _ => gate.Task;
        var nodes = await cluster.StartAsync(2, Behind(Long));
        await nodes[0].Accounts.PutAsync("a", new Account { Balance = 1 });
        await nodes[1].Accounts.PutAsync("b", new Account { Balance = 2 });
        Assert.True(await nodes[1].Accounts.RemoveAsync("b"));
        Assert.Equal(1, (await nodes[1].Accounts.GetAsync("a"))!.Balance);
        Assert.Null(await nodes[0].Accounts.GetAsync("b"));
        Assert.Equal(0, cluster.Storage.StoreCount);
        gate.SetResult();
    }

    [Fact]
    public async Task Owner_KilledWithABackup_LosesNothing()
    {
        await using var cluster = new StorageCluster(output);
        var nodes = await cluster.StartAsync(3, Behind(Long));
        cluster.Logs.Allow(static _ => true);
        for (var index = 0; index < 150; index++)
            await nodes[index % 3].Accounts.PutAsync($"{index}", new Account { Balance = index });
        Assert.True(await nodes[1].Accounts.RemoveAsync("149"));
        await WaitForCopiesAsync(nodes);
        await nodes[2].DisposeAsync();
        await Eventually.TrueAsync(() => CountOwners(nodes[0]) == 2, Bound);
        foreach (var node in nodes[..2])
            await node.Host.StopAsync();
        for (var index = 0; index < 149; index++)
            Assert.Equal(index, cluster.Storage[$"{index}"]?.Value?.Balance);
        Assert.NotEqual(false, cluster.Storage["149"]?.IsRemoved);
    }

    [Fact]
    public async Task Value_ThatNoWriterWasToldOf_IsStoredByTheNextOwner()
    {
        await using var cluster = new StorageCluster(output);
        var nodes = await cluster.StartAsync(2, Behind(Long));
        cluster.Logs.Allow(static _ => true);
        var key = nodes[1].OwnKey();
        await nodes[0].Memory.UpdateAsync(key, new PutValue<Account>(new Account { Balance = 4 }));
        await WaitForCopiesAsync(nodes);
        await nodes[1].DisposeAsync();
        await Eventually.TrueAsync(() => cluster.Storage[key]?.Value?.Balance == 4, Bound);
    }

    [Fact]
    public async Task Queue_ThatIsFull_LetsWritesWait()
    {
        await using var cluster = new StorageCluster(output);
        var gate = new TaskCompletionSource();
        cluster.Storage.BeforeStore = _ => gate.Task;
        var accounts = (await cluster.StartAsync(1, options =>
        {
            Behind(TimeSpan.Zero)(options);
            options.MaxWaitingKeys = 5;
            options.StorageTimeout = TimeSpan.FromSeconds(25);
        }))[0].Accounts;
        for (var index = 0; index < 5; index++)
            await accounts.PutAsync($"{index}", new Account());
        var sixth = accounts.PutAsync("6", new Account()).AsTask();
        await accounts.PutAsync("3", new Account { Balance = 3 });
        Assert.False(sixth.IsCompleted);
        gate.SetResult();
        await sixth;
        await Eventually.TrueAsync(() => cluster.Storage["6"] is not null && cluster.Storage["3"]?.Value?.Balance == 3, Bound);
    }

    [Fact]
    public async Task Value_WithATimeInMemory_StaysUntilTheStorageHasIt()
    {
        await using var cluster = new StorageCluster(output);
        cluster.Logs.Allow(StoresFail);
        var accounts = (await cluster.StartAsync(1, options =>
        {
            Behind(TimeSpan.FromMilliseconds(10))(options);
            options.KeepInMemory = TimeSpan.FromMinutes(1);
        }))[0].Accounts;
        cluster.Storage.Failure = new TimeoutException("not now");
        await accounts.PutAsync("a", new Account { Balance = 1 });
        await accounts.UpdateAsync("a", new Deposit(1));
        cluster.Storage.Failure = null;
        await Eventually.TrueAsync(() => cluster.Storage["a"]?.Value?.Balance == 2, Bound);
        Assert.Equal(2, (await accounts.GetAsync("a"))!.Balance);
        Assert.Equal(TimeSpan.FromSeconds(20), cluster.Nodes[0].Writer.SweepPause);
    }

    internal static Action<StoredStateOptions<string, Account>> Behind(TimeSpan delay) =>
        options => (options.Writes, options.WriteDelay) = (StorageWrites.Behind, delay);
}
