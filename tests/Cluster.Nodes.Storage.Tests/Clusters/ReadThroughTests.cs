using Cluster.StateStore;
using Cluster.StateStore.Changes;
using Cluster.Testing;
using Xunit.Abstractions;
using static Cluster.Nodes.Storage.Tests.Clusters.StorageCluster;

namespace Cluster.Nodes.Storage.Tests.Clusters;

/// <summary>What is read of a stored state: from memory, or loaded once.</summary>
public sealed class ReadThroughTests(ITestOutputHelper output)
{
    private const int LoadsFail = 7001;

    [Fact]
    public async Task Key_InTheStorageAlone_IsLoadedOnceInTheCluster()
    {
        await using var cluster = new StorageCluster(output);
        cluster.Storage.Set("a", new StorageRecord<Account>(new Account { Balance = 5 }, 70));
        var gate = new TaskCompletionSource();
        cluster.Storage.BeforeLoad = _ => gate.Task;
        var nodes = await cluster.StartAsync(3);
        var reads = nodes.SelectMany(node => Enumerable.Range(0, 10).Select(_ => node.Accounts.GetWithVersionAsync("a").AsTask()))
            .ToArray();
        await Eventually.TrueAsync(() => cluster.Storage.LoadCount > 0, Bound);
        gate.SetResult();
        foreach (var entry in await Task.WhenAll(reads))
            Assert.Equal((5, new StateVersion(70)), (entry!.Value.Value.Balance, entry.Value.Version));
        Assert.Equal(5, (await nodes[1].Accounts.GetAsync("a"))!.Balance);
        Assert.Equal(1, cluster.Storage.LoadCount);
        Assert.Equal(0, cluster.Storage.StoreCount);
    }

    [Fact]
    public async Task Key_NowhereOrRemoved_IsAbsent()
    {
        await using var cluster = new StorageCluster(output);
        cluster.Storage.Set("removed", StorageRecord.Removed<Account>(9));
        var accounts = (await cluster.StartAsync(1))[0].Accounts;
        foreach (var key in new[] { "removed", "none" })
        {
            Assert.Null(await accounts.GetAsync(key));
            Assert.Null(await accounts.GetWithVersionAsync(key));
            Assert.False(await accounts.TouchAsync(key));
            Assert.False(await accounts.RemoveAsync(key));
            Assert.Null(await accounts.PutIfVersionAsync(key, new Account(), new StateVersion(9)));
            Assert.Equal(-1, await accounts.UpdateAsync(key, new Close()));
        }

        Assert.Equal(0, cluster.Storage.StoreCount);
    }

    [Fact]
    public async Task Many_LoadsWhatIsMissing()
    {
        await using var cluster = new StorageCluster(output);
        for (var index = 0; index < 20; index += 2)
            cluster.Storage.Set($"{index}", new StorageRecord<Account>(new Account { Balance = index }, 7));
        var accounts = (await cluster.StartAsync(2))[0].Accounts;
        await accounts.PutAsync("1", new Account { Balance = 1 });
        var found = await accounts.GetManyAsync(Enumerable.Range(0, 20).Select(index => $"{index}"));
        Assert.Equal(11, found.Count);
        Assert.All(found, entry => Assert.Equal(entry.Key, $"{entry.Value.Value.Balance}"));
    }

    [Fact]
    public async Task Storage_ThatFailsToLoad_FailsTheRead_AndNothingIsKept()
    {
        await using var cluster = new StorageCluster(output);
        cluster.Logs.Allow(LoadsFail);
        var accounts = (await cluster.StartAsync(1))[0].Accounts;
        cluster.Storage.Set("a", new StorageRecord<Account>(new Account { Balance = 5 }, 70));
        cluster.Storage.Failure = new TimeoutException("the disk is gone");
        for (var attempt = 0; attempt < 3; attempt++)
        {
            var failure = await Assert.ThrowsAsync<StateStorageException>(async () => await accounts.GetAsync("a"));
            Assert.Contains("the disk is gone", failure.Message, StringComparison.Ordinal);
            Assert.IsType<TimeoutException>(failure.InnerException);
            await Assert.ThrowsAsync<StateStorageException>(async () => await accounts.UpdateAsync("a", new Deposit(1)));
        }

        Assert.Single(cluster.Logs.Entries, entry => entry.Event.Id == LoadsFail);
        cluster.Storage.Failure = null;
        Assert.Equal(5, (await accounts.GetAsync("a"))!.Balance);
    }

    [Fact]
    public async Task Storage_ThatDoesNotAnswer_EndsTheReadInTime()
    {
        await using var cluster = new StorageCluster(output);
        cluster.Logs.Allow(LoadsFail);
        var gate = new TaskCompletionSource();
        cluster.Storage.BeforeLoad = _ => gate.Task;
        var accounts = (await cluster.StartAsync(1, options => options.StorageTimeout = TimeSpan.FromMilliseconds(50)))[0].Accounts;
        var failure = await Assert.ThrowsAsync<StateStorageException>(async () => await accounts.GetAsync("a"));
        Assert.Contains("StorageTimeout", failure.Message, StringComparison.Ordinal);
        gate.SetResult();
    }

    [Fact]
    public async Task Scans_ShowWhatIsInMemory_WithoutRemovals()
    {
        await using var cluster = new StorageCluster(output);
        cluster.Logs.Allow(7003);
        var accounts = (await cluster.StartAsync(2))[0].Accounts;
        cluster.Storage.Set("stored", new StorageRecord<Account>(new Account { Balance = 5 }, 70));
        await accounts.PutAsync("a", new Account { Balance = 1 });
        await accounts.PutAsync("b", new Account { Balance = 2 });
        cluster.Storage.Failure = new TimeoutException("not now");
        await Assert.ThrowsAsync<StateStorageException>(async () => await accounts.RemoveAsync("a"));
        Assert.Equal(["b"], await KeysAsync(accounts));
        var record = await accounts.ScanAsync().SingleAsync();
        Assert.Equal(2, record.Value.Balance);
        Assert.Equal((await accounts.GetWithVersionAsync("b"))!.Value.Version, record.Version);
        cluster.Storage.Failure = null;
        await accounts.GetAsync("stored");
        Assert.Equal(["b", "stored"], (await KeysAsync(accounts)).Order());
    }

    [Fact]
    public async Task GetOrAdd_AsksTheStorageFirst_AndStoresWhatWasMade()
    {
        await using var cluster = new StorageCluster(output);
        cluster.Storage.Set("stored", new StorageRecord<Account>(new Account { Balance = 5 }, 70));
        var nodes = await cluster.StartAsync(2);
        var made = 0;
        Assert.Equal(5, (await nodes[0].Accounts.GetOrAddAsync("stored", MakeAsync))!.Balance);
        Assert.Equal(0, made);
        var found = await Task.WhenAll(nodes.SelectMany(
            node => Enumerable.Range(0, 5).Select(_ => node.Accounts.GetOrAddAsync("new", MakeAsync).AsTask())));
        Assert.All(found, account => Assert.Equal(42, account!.Balance));
        Assert.Equal(1, made);
        Assert.Equal(42, cluster.Storage["new"]!.Value!.Balance);
        Assert.True(await nodes[0].Accounts.RemoveAsync("new"));
        Assert.Equal(42, (await nodes[1].Accounts.GetOrAddAsync("new", MakeAsync))!.Balance);
        Assert.Null(await nodes[1].Accounts.GetOrAddAsync("none", (_, _) => new ValueTask<Account?>((Account?)null)));

        ValueTask<Account?> MakeAsync(string key, CancellationToken cancellationToken)
        {
            Interlocked.Increment(ref made);
            return new(new Account { Balance = 42 });
        }
    }

    [Fact]
    public async Task GetOrAdd_WhileARemovalIsNotStored_MakesTheValueAnew()
    {
        await using var cluster = new StorageCluster(output);
        var accounts = (await cluster.StartAsync(
            1, options => (options.Writes, options.WriteDelay) = (StorageWrites.Behind, TimeSpan.FromMinutes(5))))[0].Accounts;
        cluster.Storage.Set("a", new StorageRecord<Account>(new Account { Balance = 5 }, 70));
        Assert.True(await accounts.RemoveAsync("a"));
        Assert.Null(await accounts.GetAsync("a"));
        var made = await accounts.GetOrAddAsync("a", (_, _) => new ValueTask<Account?>(new Account { Balance = 6 }));
        Assert.Equal(6, made!.Balance);
        Assert.Equal(6, (await accounts.GetAsync("a"))!.Balance);
    }

    [Fact]
    public async Task Watch_TellsWritesOnce_AndNoLoads()
    {
        await using var cluster = new StorageCluster(output);
        cluster.Storage.Set("loaded", new StorageRecord<Account>(new Account { Balance = 5 }, 70));
        var nodes = await cluster.StartAsync(2);
        using var ended = new CancellationTokenSource();
        var told = new ConcurrentQueue<StateChange<string, Account>>();
        var beganCount = 0;
        var watching = WatchAsync();
        await Eventually.TrueAsync(() => Volatile.Read(ref beganCount) >= 16, Bound);
        await nodes[0].Accounts.GetAsync("loaded");
        var version = await nodes[0].Accounts.PutAsync("a", new Account { Balance = 1 });
        await nodes[1].Accounts.UpdateAsync("a", new Deposit(1));
        await nodes[1].Accounts.RemoveAsync("a");
        await nodes[0].Accounts.PutAsync("last", new Account());
        await Eventually.TrueAsync(() => told.Any(change => change.Key == "last"), Bound);
        await ended.CancelAsync();
        await watching;
        var changes = told.Where(change => change.Key == "a").ToArray();
        Assert.Equal(
            [StateChangeKind.Stored, StateChangeKind.Stored, StateChangeKind.Removed], changes.Select(change => change.Kind));
        Assert.Equal(version, changes[0].Version);
        Assert.DoesNotContain(told, change => change.Key == "loaded");

        async Task WatchAsync()
        {
            try
            {
                await foreach (var change in nodes[1].Accounts.WatchAsync(ended.Token))
                {
                    if (change.Kind == StateChangeKind.Began)
                        Interlocked.Increment(ref beganCount);
                    else
                        told.Enqueue(change);
                }
            }
            catch (OperationCanceledException)
            {
                // The test ends the watch.
            }
        }
    }

    [Fact]
    public async Task Expiry_OfAWrite_IsRefusedWithTheRemedy()
    {
        await using var cluster = new StorageCluster(output);
        var accounts = (await cluster.StartAsync(1))[0].Accounts;
        var hour = StateExpiry.After(TimeSpan.FromHours(1));
        Func<Task>[] writes =
        [
            async () => await accounts.PutAsync("a", new Account(), hour),
            async () => await accounts.PutIfVersionAsync("a", new Account(), default, hour),
            async () => await accounts.TouchAsync("a", hour),
            async () => await accounts.GetOrAddAsync("a", (_, _) => new ValueTask<Account?>(new Account()), hour),
        ];
        foreach (var write in writes)
        {
            var refusal = await Assert.ThrowsAsync<ArgumentException>(write);
            Assert.Contains("KeepInMemory", refusal.Message, StringComparison.Ordinal);
        }

        await accounts.PutAsync("a", new Account(), StateExpiry.Never);
        Assert.True(await accounts.TouchAsync("a"));
    }

    private static async Task<List<string>> KeysAsync(IPartitionedState<string, Account> accounts) =>
        await accounts.ScanKeysAsync().ToListAsync();
}
