using Cluster.Nodes.Storage.Values;
using Cluster.Nodes.Storage.Writing;
using Cluster.StateStore;
using Cluster.Testing;
using Xunit.Abstractions;
using static Cluster.Nodes.Storage.Tests.Clusters.StorageCluster;

namespace Cluster.Nodes.Storage.Tests.Clusters;

/// <summary>Writes that are acknowledged when the storage has them.</summary>
public sealed class WriteThroughTests(ITestOutputHelper output)
{
    private const int StoresFail = 7003;
    private const int StoresWork = 7004;

    [Fact]
    public async Task Write_OfAnyKindFromAnyNode_IsInTheStorageWhenItReturns()
    {
        await using var cluster = new StorageCluster(output);
        var nodes = await cluster.StartAsync(3);
        for (var index = 0; index < 30; index++)
        {
            var (key, accounts) = ($"key {index}", nodes[index % 3].Accounts);
            var version = await accounts.PutAsync(key, new Account { Balance = index });
            Check(key, index, version);
            Assert.Equal(index + 5, await nodes[(index + 1) % 3].Accounts.UpdateAsync(key, new Deposit(5)));
            var updated = (await accounts.GetWithVersionAsync(key))!.Value;
            Check(key, index + 5, updated.Version);
            Assert.Null(await accounts.PutIfVersionAsync(key, new Account(), version));
            var replaced = await accounts.PutIfVersionAsync(key, new Account { Balance = -1 }, updated.Version);
            Check(key, -1, replaced!.Value);
            Assert.True(await accounts.RemoveAsync(key));
            Assert.True(cluster.Storage[key]!.IsRemoved);
            Assert.True(cluster.Storage[key]!.Revision > replaced.Value.Value);
            Assert.Null(await nodes[(index + 2) % 3].Accounts.GetAsync(key));
        }

        void Check(string key, int balance, StateVersion version) =>
            Assert.Equal((balance, version.Value), (cluster.Storage[key]!.Value!.Balance, cluster.Storage[key]!.Revision));
    }

    [Fact]
    public async Task Version_StaysTheSame_WhenTheValueIsStoredAndLoadedAgain()
    {
        await using var cluster = new StorageCluster(output);
        StateVersion version;
        await using (var first = await cluster.JoinAsync())
        {
            version = await first.Accounts.PutAsync("a", new Account { Balance = 1 });
            await first.Host.StopAsync();
        }

        await using var second = new StorageCluster(output);
        second.Storage.Set("a", cluster.Storage["a"]!);
        cluster.Logs.Allow(5006);
        var accounts = (await second.StartAsync(1))[0].Accounts;
        Assert.NotNull(await accounts.PutIfVersionAsync("a", new Account { Balance = 2 }, version));
    }

    [Fact]
    public async Task ConditionalWriteAndOperation_OnAKeyInTheStorageAlone_SeeItsValue()
    {
        await using var cluster = new StorageCluster(output);
        foreach (var key in new[] { "op", "put", "none", "close", "remove" })
            cluster.Storage.Set(key, new StorageRecord<Account>(new Account { Balance = 5 }, 70));
        var accounts = (await cluster.StartAsync(2))[0].Accounts;
        Assert.Equal(6, await accounts.UpdateAsync("op", new Deposit(1)));
        Assert.NotNull(await accounts.PutIfVersionAsync("put", new Account(), new StateVersion(70)));
        Assert.Null(await accounts.PutIfVersionAsync("none", new Account(), StateVersion.None));
        Assert.Equal(5, await accounts.UpdateAsync("close", new Close()));
        Assert.True(await accounts.RemoveAsync("remove"));
        Assert.Equal(6, cluster.Storage["op"]!.Value!.Balance);
        Assert.True(cluster.Storage["close"]!.IsRemoved);
        Assert.True(cluster.Storage["remove"]!.IsRemoved);
        Assert.NotNull(await accounts.PutIfVersionAsync("close", new Account { Balance = 9 }, StateVersion.None));
        Assert.Equal(9, cluster.Storage["close"]!.Value!.Balance);
    }

    [Fact]
    public async Task Operation_ThatThrows_ChangesNeitherMemoryNorStorage()
    {
        await using var cluster = new StorageCluster(output);
        var accounts = (await cluster.StartAsync(2))[0].Accounts;
        var version = await accounts.PutAsync("a", new Account { Balance = 5 });
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(async () => await accounts.UpdateAsync("a", new Overdraw()));
        Assert.Equal((5, version.Value), (cluster.Storage["a"]!.Value!.Balance, cluster.Storage["a"]!.Revision));
        Assert.Equal(version, (await accounts.GetWithVersionAsync("a"))!.Value.Version);
    }

    [Fact]
    public async Task Storage_ThatFails_FailsTheWrite_AndHasItOnceItWorks()
    {
        await using var cluster = new StorageCluster(output);
        cluster.Logs.Allow(StoresFail);
        var nodes = await cluster.StartAsync(2);
        var key = nodes[0].OwnKey();
        await nodes[0].Accounts.PutAsync(key, new Account());
        cluster.Storage.Failure = new TimeoutException("the disk is full");
        foreach (var node in nodes)
        {
            var failure = await Assert.ThrowsAsync<StateStorageException>(
                async () => await node.Accounts.UpdateAsync(key, new Deposit(1)));
            Assert.Contains("the disk is full", failure.Message, StringComparison.Ordinal);
            Assert.Contains("the cluster has the value", failure.Message, StringComparison.Ordinal);
        }

        Assert.Equal(2, (await nodes[1].Accounts.GetAsync(key))!.Balance);
        Assert.Equal(0, cluster.Storage[key]!.Value!.Balance);
        cluster.Storage.Failure = null;
        await Eventually.TrueAsync(() => cluster.Storage[key]?.Value?.Balance == 2, Bound);
        await cluster.Logs.WaitForAsync(StoresWork, Bound);
        Assert.Single(cluster.Logs.Entries, entry => entry.Event.Id == StoresFail);
    }

    [Fact]
    public async Task Storage_ThatIsSlow_DelaysItsOwnKeysAlone()
    {
        await using var cluster = new StorageCluster(output);
        var gate = new TaskCompletionSource();
        cluster.Storage.BeforeStore = key => key == "slow" ? gate.Task : Task.CompletedTask;
        var accounts = (await cluster.StartAsync(
            1, options => options.StorageTimeout = TimeSpan.FromSeconds(25)))[0].Accounts;
        var slow = accounts.PutAsync("slow", new Account { Balance = 1 }).AsTask();
        for (var index = 0; index < 50; index++)
            await accounts.PutAsync($"fast {index}", new Account());
        Assert.False(slow.IsCompleted);
        gate.SetResult();
        await slow;
        Assert.Equal(1, cluster.Storage["slow"]!.Value!.Balance);
    }

    [Fact]
    public async Task Store_ThatEndsLate_DoesNotReplaceTheNewerValue()
    {
        await using var cluster = new StorageCluster(output);
        cluster.Logs.Allow(StoresFail);
        var gate = new TaskCompletionSource();
        var storeCount = 0;
        cluster.Storage.BeforeStore = _ => Interlocked.Increment(ref storeCount) == 1 ? gate.Task : Task.CompletedTask;
        var accounts = (await cluster.StartAsync(
            1, options => options.StorageTimeout = TimeSpan.FromSeconds(1)))[0].Accounts;
        await Assert.ThrowsAsync<StateStorageException>(async () => await accounts.PutAsync("a", new Account { Balance = 1 }));
        var version = await accounts.PutAsync("a", new Account { Balance = 2 });
        gate.SetResult();
        await accounts.PutAsync("other", new Account());
        Assert.Equal((2, version.Value), (cluster.Storage["a"]!.Value!.Balance, cluster.Storage["a"]!.Revision));
    }

    [Fact]
    public async Task Value_ThatTheStorageHasNewer_IsStoredAboveIt()
    {
        await using var cluster = new StorageCluster(output);
        var future = TimeProvider.System.GetUtcNow().AddDays(1).UtcTicks;
        cluster.Storage.Set("a", new StorageRecord<Account>(new Account { Balance = 1 }, future));
        var accounts = (await cluster.StartAsync(1))[0].Accounts;
        await accounts.PutAsync("a", new Account { Balance = 2 });
        Assert.Equal((2, future + 1), (cluster.Storage["a"]!.Value!.Balance, cluster.Storage["a"]!.Revision));
        Assert.Equal(future + 1, (await accounts.GetWithVersionAsync("a"))!.Value.Version.Value);
    }

    [Fact]
    public async Task Writers_OfOneKeyOnAllNodes_LeaveTheLastValueInTheStorage()
    {
        await using var cluster = new StorageCluster(output);
        var nodes = await cluster.StartAsync(3);
        await Task.WhenAll(nodes.Select(async node =>
        {
            for (var write = 0; write < 40; write++)
                await node.Accounts.UpdateAsync("hot", new Deposit(1));
        }));
        var last = (await nodes[0].Accounts.GetWithVersionAsync("hot"))!.Value;
        Assert.Equal(120, last.Value.Balance);
        Assert.Equal((120, last.Version.Value), (cluster.Storage["hot"]!.Value!.Balance, cluster.Storage["hot"]!.Revision));
        output.WriteLine($"{cluster.Storage.StoreCount} stores for 120 writes");
    }

    [Fact]
    public async Task Write_LostWithItsNodeAndPassedByAnother_IsNotAcknowledged()
    {
        await using var cluster = new StorageCluster(output);
        cluster.Storage.Set("a", new StorageRecord<Account>(new Account { Balance = 5 }, 70));
        var node = (await cluster.StartAsync(1))[0];
        await node.Accounts.UpdateAsync("a", new Deposit(1));
        var record = (await node.Memory.GetAsync("a"))!;
        Assert.Null(await FlushAsync(record.Revision, record.Lineage.Id));
        Assert.Null(await FlushAsync(70, lineageId: 1));
        Assert.Contains("lost with its node", await FlushAsync(record.Revision - 1, lineageId: 1), StringComparison.Ordinal);

        // What nobody looked at before writing may be replaced without notice.
        await node.Accounts.PutAsync("a", new Account());
        Assert.Null(await FlushAsync(record.Revision - 1, lineageId: 1));

        async Task<string?> FlushAsync(long revision, long lineageId)
        {
            var request = new FlushRequest { State = State, Key = [.. "a"u8], Revision = revision, LineageId = lineageId };
            return (await node.Writer.FlushAsync(request, CancellationToken.None)).Failure;
        }
    }

    [Fact]
    public async Task Writer_OfANodeThatDoesNotOwnTheKey_SendsTheCallerOn()
    {
        await using var cluster = new StorageCluster(output);
        var nodes = await cluster.StartAsync(2);
        var request = new FlushRequest { State = State, Key = Encoding.UTF8.GetBytes(nodes[0].OwnKey()), Revision = 1 };
        Assert.True((await nodes[1].Writer.FlushAsync(request, CancellationToken.None)).IsElsewhere);
        Assert.True((await nodes[1].Writer.NoteAsync(request, CancellationToken.None)).IsElsewhere);
        Assert.Equal(0, nodes[1].Writer.WaitingCount);
    }

    [Fact]
    public async Task Operation_ThatLeavesAKeyAbsent_LeavesNothingInMemory()
    {
        await using var cluster = new StorageCluster(output);
        var node = (await cluster.StartAsync(1))[0];
        Assert.Equal(-1, await node.Accounts.UpdateAsync("a", new Close()));
        Assert.Null(await node.Accounts.PutIfVersionAsync("b", new Account(), new StateVersion(3)));
        Assert.Empty(await node.Memory.ScanKeysAsync().ToListAsync());

        // A process that died between its steps left this.
        await node.Memory.PutAsync("c", Stored<Account>.Marker(null));
        Assert.Null(await node.Accounts.GetAsync("c"));
        await node.Writer.ScanAsync(node.Cluster.PartitionOf(State, "c"), CancellationToken.None);
        Assert.Empty(await node.Memory.ScanKeysAsync().ToListAsync());
        Assert.Equal(0, cluster.Storage.StoreCount);
    }

    [Fact]
    public async Task Values_OfMixedSizes_AreStored()
    {
        await using var cluster = new StorageCluster(output);
        var nodes = await cluster.StartAsync(2);
        var seed = Random.Shared.Next();
        var random = new Random(seed);
        var lengths = Enumerable.Range(0, 60).Select(_ => random.Next(0, 1 << random.Next(1, 19))).ToArray();
        await Task.WhenAll(lengths.Select((length, index) => nodes[index % 2].Accounts
            .PutAsync($"{index}", new Account { Note = new string('x', length) }).AsTask()));
        for (var index = 0; index < lengths.Length; index++)
            Assert.True(cluster.Storage[$"{index}"]!.Value!.Note.Length == lengths[index], $"seed {seed}, key {index}");
    }

    [Fact]
    public async Task Owner_KilledWithABackup_LosesNothingThatWasAcknowledged()
    {
        await using var cluster = new StorageCluster(output);
        var nodes = await cluster.StartAsync(3);
        cluster.Logs.Allow(static _ => true);
        using var ended = new CancellationTokenSource();
        var acknowledged = new ConcurrentDictionary<string, int>();
        StorageNode[] others = [nodes[0], nodes[1]];
        var writing = Task.WhenAll(others.Select((node, writer) => WriteAsync(node, $"w{writer}")));
        await Eventually.TrueAsync(() => acknowledged.Count > 60, Bound);
        await nodes[2].DisposeAsync();
        var count = acknowledged.Count;
        await Eventually.TrueAsync(() => acknowledged.Count > count + 60, Bound);
        await ended.CancelAsync();
        await writing;
        foreach (var (key, balance) in acknowledged)
        {
            Assert.Equal(balance, cluster.Storage[key]!.Value!.Balance);
            Assert.Equal(balance, (await nodes[0].Accounts.GetAsync(key))!.Balance);
        }

        async Task WriteAsync(StorageNode node, string prefix)
        {
            for (var index = 0; !ended.IsCancellationRequested; index++)
            {
                try
                {
                    await node.Accounts.PutAsync($"{prefix}-{index}", new Account { Balance = index });
                    acknowledged[$"{prefix}-{index}"] = index;
                }
                catch (StateException)
                {
                    // The write was not acknowledged.
                }
            }
        }
    }
}
