using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;
using Cluster.StateStore.Tests.Local;
using Cluster.Testing;

namespace Cluster.StateStore.Tests.Hosting;

/// <summary>The work of a partition's owner: the partition's life, requests from other processes, memory,
/// expiry.</summary>
public sealed class NodeStateStoreTests : IAsyncDisposable
{
    private readonly SimulatedCluster _cluster = new(nodes: 1, partitions: 1);

    private SimulatedNode Node => _cluster[0];

    private Guid Id => _cluster.Hash.ClusterId;

    private Epoch Epoch => _cluster.Table[default].Epoch;

    public ValueTask DisposeAsync() => _cluster.DisposeAsync();

    [Fact]
    public async Task Serve_OlderEpoch_IsStale()
    {
        Node.Store.Serve(default, new Epoch(5));
        var error = Assert.Throws<StaleEpochException>(() => Node.Store.Serve(default, new Epoch(4)));
        Assert.Equal((new Epoch(4), new Epoch(5)), (error.Given, error.Known));
        Node.Store.Drop(default);
        Assert.Throws<StaleEpochException>(() => Node.Store.Serve(default, new Epoch(4)));
        await Assert.ThrowsAsync<NotOwnerException>(async () =>
            await Node.Store.SealAsync(default, CancellationToken.None));
    }

    [Fact]
    public async Task Serve_NewerEpoch_KeepsTheRecordsAndRaisesTheVersions()
    {
        var before = await Node.Carts.PutAsync("a", new Cart());
        Node.Store.Serve(default, Epoch.Next());
        var request = Request(StateVerb.Get, Epoch.Next().Value);
        Assert.Equal(before.Value, (await ExecuteAsync(request)).Version);
        var put = Request(StateVerb.Remove, Epoch.Next().Value);
        Assert.Equal(StateReplyStatus.Done, (await ExecuteAsync(put)).Status);
    }

    [Fact]
    public async Task Versions_ContentsLostAndEpochRaised_NeverComeBack()
    {
        var before = await Node.Carts.PutAsync("a", new Cart());
        Node.Store.Drop(default);
        Node.Store.Serve(default, Epoch);
        var after = await Node.Carts.PutAsync("a", new Cart());
        Assert.True(after > before);
    }

    [Fact]
    public async Task Seal_Partition_AnswersNothingUntilUnsealed()
    {
        await Node.Carts.PutAsync("a", new Cart());
        await Node.Store.SealAsync(default, CancellationToken.None);
        Assert.Equal(StateReplyStatus.NotReady, (await ExecuteAsync(Request(StateVerb.Get, Epoch.Value))).Status);
        Assert.Equal(StateReplyStatus.NotReady, (await ExecuteAsync(Request(StateVerb.Remove, Epoch.Value))).Status);
        Assert.Throws<NotOwnerException>(() => Node.Store.Serve(default, Epoch));
        Node.Store.Unseal(default);
        Assert.NotNull(await Node.Carts.GetAsync("a"));
        Assert.Throws<NotOwnerException>(() => Node.Store.Unseal(default));
    }

    [Fact]
    public async Task Drop_PartitionWithRecords_FreesAllMemory()
    {
        for (var number = 0; number < 500; number++)
            await Node.Carts.PutAsync($"k{number}", new Cart());
        Assert.Equal(500, Node.Pile.GetStatistics().Objects);
        Assert.Equal(500, Node.Store.CountEntries()["carts"]);
        Node.Store.Drop(default);
        var left = Node.Pile.GetStatistics();
        Assert.Equal((0, 0), (left.Objects, left.LiveBytes));
        var statistics = Node.Store.GetStatistics(default);
        Assert.Equal((0, 0, PartitionState.Absent), (statistics.Entries, statistics.Bytes, statistics.State));
        Assert.Equal(0, Node.Store.CountEntries()["carts"]);
    }

    [Fact]
    public async Task GetStatistics_Writes_CountEntriesAndRecordBytes()
    {
        await Node.Carts.PutAsync("ab", new Cart());
        var one = Node.Store.GetStatistics(default);
        await Node.Carts.PutAsync("cd", new Cart());
        var two = Node.Store.GetStatistics(default);
        Assert.Equal((1, 2, 2 * one.Bytes), (one.Entries, two.Entries, two.Bytes));
        await Node.Carts.PutAsync("ab", new Cart { Owner = "longer than before" });
        Assert.True(Node.Store.GetStatistics(default).Bytes > two.Bytes);
        await Node.Carts.RemoveAsync("ab");
        Assert.Equal((one.Entries, one.Bytes), Describe(Node.Store.GetStatistics(default)));
    }

    [Fact]
    public async Task PutAsync_PileFull_FailsByNameAndLosesNothing()
    {
        await Node.Carts.PutAsync("a", new Cart { Owner = "ann" });
        using (new PileFiller(Node.Pile))
        {
            var large = new Cart { Owner = new string('x', 100_000) };
            await Assert.ThrowsAsync<StateFullException>(async () => await Node.Carts.PutAsync("b", large));
            await Assert.ThrowsAsync<StateFullException>(async () => await Node.Carts.PutAsync("a", large));
            var outside = new StateClient<string, Cart>(SimulatedCluster.Carts, _cluster.Client);
            var error = await Assert.ThrowsAsync<StateFullException>(async () => await outside.PutAsync("a", large));
            Assert.Contains("PileBudgetBytes", error.Message, StringComparison.Ordinal);
            Assert.Equal("ann", (await Node.Carts.GetAsync("a"))!.Owner);
            Assert.Null(await Node.Carts.GetAsync("b"));
        }

        await Node.Carts.PutAsync("a", new Cart { Owner = "bob" });
        Assert.Equal(1, Node.Store.GetStatistics(default).Entries);
    }

    [Fact]
    public async Task Sweep_ExpiredRecords_AreFreedWithoutAnyRead()
    {
        Node.Store.Start();
        for (var number = 0; number < 3_000; number++)
        {
            var expiry = number % 3 == 0 ? StateExpiry.Never : StateExpiry.After(TimeSpan.FromSeconds(number % 60 + 1));
            await Node.Carts.PutAsync($"k{number}", new Cart(), expiry);
        }

        for (var second = 0; second < 63; second++)
        {
            await _cluster.Manual.WaitForTimersAsync();
            _cluster.Manual.Advance(TimeSpan.FromSeconds(1));
        }

        await Eventually.TrueAsync(() => Node.Pile.GetStatistics().Objects == 1_000, TimeSpan.FromMinutes(1));
        Assert.Equal(1_000, Node.Store.CountEntries()["carts"]);
    }

    [Fact]
    public async Task Sweep_SlotLimit_IsKeptAndTheNextOneGoesOn()
    {
        Node.Options.MaxSweepSlots = 100;
        for (var number = 0; number < 1_000; number++)
            await Node.Carts.PutAsync($"k{number}", new Cart(), StateExpiry.After(TimeSpan.FromSeconds(1)));
        _cluster.Manual.Advance(TimeSpan.FromSeconds(1));
        var first = Node.Store.Sweeper.SweepOnce();
        Assert.InRange(first, 1, 100);
        var sweeps = 1;
        while (Node.Pile.GetStatistics().Objects > 0 && sweeps++ < 100)
            Node.Store.Sweeper.SweepOnce();
        Assert.Equal(0, Node.Pile.GetStatistics().Objects);
    }

    [Fact]
    public async Task Start_Twice_IsRefused()
    {
        Node.Store.Start();
        Assert.Throws<InvalidOperationException>(Node.Store.Start);
        await Node.Store.DisposeAsync();
    }

    [Fact]
    public async Task ExecuteAsync_MalformedRequests_AreRefusedWithTheReason()
    {
        await CheckRefusedAsync(new StateRequest { FormatVersion = 1 }, "message format 1 was found, 2 expected");
        await CheckRefusedAsync(new StateRequest { ClusterId = Id, Verb = (StateVerb)99 }, "verb 99 is unknown");
        await CheckRefusedAsync(new StateRequest { ClusterId = Id, Verb = StateVerb.Get, Key = new byte[5_000] }, "the key is too long");
        await CheckRefusedAsync(new StateRequest { ClusterId = Id, Verb = StateVerb.Put }, "Put needs a payload");
        await CheckRefusedAsync(new StateRequest { ClusterId = Id, Verb = StateVerb.Get, Partition = 3 }, "different clusters");
        await CheckRefusedAsync(new StateRequest { ClusterId = Id, Verb = StateVerb.Get, Partition = -1 }, "different clusters");
        await CheckRefusedAsync(new StateRequest { ClusterId = Id, Verb = StateVerb.Get, ExpiryKind = 9 }, "the expiry is malformed");
        await CheckRefusedAsync(new StateRequest { ClusterId = Id, Verb = StateVerb.Touch, ExpiryKind = 2 }, "the expiry is malformed");
        await CheckRefusedAsync(new StateRequest { ClusterId = Id, Verb = StateVerb.Get, StateId = 1 }, "id 00000001 is not registered");
        await CheckRefusedAsync(Update(operation: 1), "the operation with id 0000000000000001 is not registered");
    }

    [Fact]
    public async Task ExecuteAsync_OlderEpoch_IsToldTheEntryThatStands()
    {
        _cluster.Change(t => t.WithMember(Tables.TableFixture.Member(2)));
        _cluster.Change(t => t.WithPartition(default, t[default].Target(new(2))));
        _cluster.Change(t => t.WithPartition(default, t[default].Join()));
        Node.Store.Serve(default, Epoch);
        var reply = await ExecuteAsync(Request(StateVerb.Get, Epoch.Value - 1));
        Assert.Equal((StateReplyStatus.Moved, _cluster.Table.Version), (reply.Status, reply.TableVersion));
        var route = reply.Moved!.ToRoute();
        Assert.Equal(_cluster.Table[default], route.Entry);
        Assert.Equal((Node.Member.Node, Node.Member.Address), (route.Owner!.Node, route.Owner.Address));
    }

    [Fact]
    [Trait("Case", "repair-A3")]
    public async Task ExecuteAsync_NewerEpoch_IsHeardAndChangesNothing()
    {
        await Node.Carts.PutAsync("a", new Cart());
        for (var newer = 1; newer <= 100; newer++)
        {
            var forged = await ExecuteAsync(Request(StateVerb.Remove, Epoch.Value + newer));
            Assert.Equal(StateReplyStatus.NotReady, forged.Status);
        }

        Assert.Equal((PartitionState.Serving, Epoch), (Node.Store.GetStatistics(default).State, Node.Store.GetStatistics(default).Epoch));
        Assert.NotNull(await Node.Carts.GetAsync("a"));
        Assert.Equal((default, new Epoch(Epoch.Value + 100)), Node.Heard[^1]);
    }

    [Fact]
    [Trait("Case", "repair-A3")]
    public async Task ExecuteAsync_MalformedRequestWithNewerEpoch_IsNotHeard()
    {
        await ExecuteAsync(new StateRequest { ClusterId = Id, Verb = (StateVerb)99, Epoch = 1_000 });
        await ExecuteAsync(new StateRequest { Verb = StateVerb.Get, Epoch = 1_000, Key = "a"u8.ToArray() });
        Assert.Empty(Node.Heard);
    }

    [Fact]
    [Trait("Case", "repair-A3")]
    public async Task ExecuteAsync_RequestOfAnotherCluster_IsNotExecuted()
    {
        await Node.Carts.PutAsync("a", new Cart());
        var foreign = new StateRequest
        {
            ClusterId = Guid.NewGuid(), Verb = StateVerb.Remove, StateId = SimulatedCluster.Carts.Id, Epoch = Epoch.Value,
            Key = "a"u8.ToArray(),
        };
        var reply = await ExecuteAsync(foreign);
        Assert.Equal(StateReplyStatus.NotReady, reply.Status);
        Assert.Contains($"belongs to cluster {Id}", reply.Message, StringComparison.Ordinal);
        Assert.NotNull(await Node.Carts.GetAsync("a"));
    }

    [Fact]
    public async Task DisposeAsync_Twice_IsHarmless()
    {
        await Node.Carts.PutAsync("a", new Cart());
        await Node.Store.DisposeAsync();
        await Node.Store.DisposeAsync();
        Assert.Equal(0, Node.Pile.GetStatistics().Objects);
    }

    private static (long, long) Describe(PartitionStatistics statistics) => (statistics.Entries, statistics.Bytes);

    private StateRequest Request(StateVerb verb, long epoch) => new()
    {
        ClusterId = Id,
        Verb = verb,
        StateId = SimulatedCluster.Carts.Id,
        Epoch = epoch,
        Key = "a"u8.ToArray(),
    };

    private StateRequest Update(ulong operation) => new()
    {
        ClusterId = Id,
        Verb = StateVerb.Update,
        StateId = SimulatedCluster.Carts.Id,
        Payload = [],
        OperationId = operation,
    };

    private ValueTask<StateReply> ExecuteAsync(StateRequest request) =>
        Node.Store.ExecuteAsync(request, CancellationToken.None);

    private async Task CheckRefusedAsync(StateRequest request, string why)
    {
        var reply = await ExecuteAsync(request);
        Assert.Equal(StateReplyStatus.Refused, reply.Status);
        Assert.Contains(why, reply.Message, StringComparison.Ordinal);
    }
}
