using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Tests.Hosting;

/// <summary>The work of a partition's owner: the partition's life, requests from other processes, memory,
/// expiry.</summary>
public sealed class NodeStateStoreTests : IAsyncDisposable
{
    private readonly SimulatedCluster _cluster = new(nodes: 2, partitions: 1);

    private SimulatedNode Node { get; }

    public NodeStateStoreTests() => Node = _cluster.OwnerOf(default);

    private SimulatedNode Other => _cluster.OtherThan(Node);

    private Guid Id => _cluster.Meta.ClusterId;

    private Epoch Epoch => _cluster.Table[default].Epoch;

    public ValueTask DisposeAsync() => _cluster.DisposeAsync();

    [Fact]
    public async Task TableRead_OlderTable_ChangesNothing()
    {
        var old = _cluster.Table;
        await _cluster.MoveAsync(default, Other);
        Other.Store.TableRead(old);
        Node.Store.TableRead(old);
        Assert.Equal(Epoch, Other.Describe(default)!.Epoch);
        Assert.Null(Node.Describe(default));
    }

    [Fact]
    public async Task Epoch_RisesAndTheOwnerStays_KeepsTheRecordsAndRaisesTheVersions()
    {
        var before = await Node.Carts.PutAsync("a", new Cart());
        var epoch = Epoch;
        var slot = Other.Member.Slot;
        _cluster.Change(table => table.WithPartition(default, table[default].Target(slot)));
        await _cluster.UntilAsync(() => Epoch > epoch && _cluster.IsQuiet);
        Assert.Equal(Node, _cluster.OwnerOf(default));
        Assert.Equal(before, (await Node.Carts.GetWithVersionAsync("a"))!.Value.Version);
        Assert.True(await Node.Carts.PutAsync("a", new Cart()) > before);
        Assert.Equal(1, Node.Describe(default)!.Entries);
    }

    [Fact]
    public async Task Versions_ContentsLost_NeverComeBack()
    {
        var before = await Node.Carts.PutAsync("a", new Cart());
        Node.Kill();
        await _cluster.UntilAsync(() => _cluster.Table[default].LossCount == 1);
        var other = _cluster.Living.Single();
        var after = await _cluster.RunAsync(other.Carts.PutIfVersionAsync("a", new Cart(), StateVersion.None));
        Assert.True(after > before, $"{after} after {before}");
    }

    [Fact]
    public async Task Move_ProposedAndTheStoreSilent_AnswersNothingUntilTheOutcomeIsKnown()
    {
        await Node.Carts.PutAsync("a", new Cart());
        var (slot, other) = (Other.Member.Slot, Other);
        _cluster.Store.IsSilentFor = successor => successor[default].Primary == slot;
        _cluster.BeginMove(default, other);
        await _cluster.UntilAsync(() => _cluster.Table[default].InSync.Count == 2);
        _cluster.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(StateReplyStatus.NotReady, (await ExecuteAsync(Request(StateVerb.Get, Epoch.Value))).Status);
        Assert.Equal(StateReplyStatus.NotReady, (await ExecuteAsync(Request(StateVerb.Remove, Epoch.Value))).Status);
        var write = Node.Carts.PutAsync("a", new Cart { Owner = "late" }).AsTask();
        _cluster.Advance(TimeSpan.FromSeconds(2));
        Assert.False(write.IsCompleted);
        _cluster.Store.IsSilentFor = null;
        await _cluster.RunAsync(write);
        await write;
        Assert.Equal("late", (await other.Carts.GetAsync("a"))!.Owner);
        Assert.Equal(other, _cluster.OwnerOf(default));
    }

    [Fact]
    public async Task Describe_Writes_CountsEntriesAndBytes()
    {
        await Node.Carts.PutAsync("ab", new Cart());
        var one = Node.Describe(default)!;
        await Node.Carts.PutAsync("cd", new Cart());
        var two = Node.Describe(default)!;
        Assert.Equal((1, 2, 2 * one.Bytes), (one.Entries, two.Entries, two.Bytes));
        await Node.Carts.PutAsync("ab", new Cart { Owner = "longer than before" });
        Assert.True(Node.Describe(default)!.Bytes > two.Bytes);
        await Node.Carts.RemoveAsync("ab");
        Assert.Equal(one, Node.Describe(default));
        Assert.Equal(1, Node.Store.CountEntries()["carts"]);
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
            await Assert.ThrowsAsync<StateFullException>(
                async () => await Node.Carts.UpdateAsync("a", new AddLine("sku", 1)));
            var outside = new StateClient<string, Cart>(SimulatedCluster.Carts, _cluster.Client);
            var error = await Assert.ThrowsAsync<StateFullException>(async () => await outside.PutAsync("a", large));
            Assert.Contains("PileBudgetBytes", error.Message, StringComparison.Ordinal);
            var kept = (await Node.Carts.GetAsync("a"))!;
            Assert.Equal(("ann", 0), (kept.Owner, kept.Lines.Count));
            Assert.Null(await Node.Carts.GetAsync("b"));
        }

        await Node.Carts.PutAsync("a", new Cart { Owner = "bob" });
        Assert.Equal(1, Node.Describe(default)!.Entries);
    }

    [Fact]
    public async Task RemoveAsync_PileFull_MakesRoom()
    {
        for (var number = 0; number < 40; number++)
            await Node.Carts.PutAsync($"k{number}", new Cart { Owner = new string('x', 200_000) });
        using (new PileFiller(Node.Pile))
        {
            await Assert.ThrowsAsync<StateFullException>(async () => await Node.Carts.PutAsync("a", new Cart()));
            for (var number = 0; number < 40; number++)
                Assert.True(await Node.Carts.RemoveAsync($"k{number}"));
            await Node.Carts.PutAsync("a", new Cart());
        }
    }

    [Fact]
    public async Task Records_WhoseLifeIsOver_AreFreedWithoutAnyRead()
    {
        for (var number = 0; number < 3_000; number++)
        {
            var life = TimeSpan.FromSeconds((number % 60) + 1);
            var expiry = number % 3 == 0 ? StateExpiry.Never : StateExpiry.After(life);
            await Node.Carts.PutAsync($"k{number}", new Cart(), expiry);
        }

        _cluster.Advance(TimeSpan.FromSeconds(70));
        Assert.Equal((1_000, 1_000), (Node.RecordCount, Node.Describe(default)!.Entries));
    }

    [Fact]
    public async Task Records_ManyWhoseLifeIsOverAtOnce_GoInSmallParts()
    {
        for (var number = 0; number < 1_000; number++)
            await Node.Carts.PutAsync($"k{number}", new Cart(), StateExpiry.After(TimeSpan.FromSeconds(1)));
        _cluster.Advance(TimeSpan.FromMilliseconds(999));
        Assert.Equal(1_000, Node.RecordCount);
        for (var (tick, before) = (0, 1_000L); before > 0; tick++)
        {
            Assert.InRange(tick, 0, 1_000);
            _cluster.Advance(TimeSpan.FromMilliseconds(5));
            Assert.InRange(before - Node.RecordCount, 0, 2 * 64);
            before = Node.RecordCount;
        }
    }

    [Fact]
    public async Task ExecuteAsync_MalformedRequests_AreRefusedWithTheReason()
    {
        const StateVerb Get = StateVerb.Get;
        await CheckRefusedAsync(new() { FormatVersion = 1 }, "message format 1 was found, 2 expected");
        await CheckRefusedAsync(new() { ClusterId = Id, Verb = (StateVerb)99 }, "verb 99 is unknown");
        await CheckRefusedAsync(new() { ClusterId = Id, Verb = Get, Key = new byte[5_000] }, "the key is too long");
        await CheckRefusedAsync(new() { ClusterId = Id, Verb = StateVerb.Put }, "Put needs a payload");
        await CheckRefusedAsync(new() { ClusterId = Id, Verb = Get, Partition = 8 }, "different clusters");
        await CheckRefusedAsync(new() { ClusterId = Id, Verb = Get, Partition = -1 }, "different clusters");
        await CheckRefusedAsync(new() { ClusterId = Id, Verb = Get, ExpiryKind = 9 }, "the expiry is malformed");
        await CheckRefusedAsync(
            new() { ClusterId = Id, Verb = StateVerb.Touch, ExpiryKind = 2 }, "the expiry is malformed");
        await CheckRefusedAsync(new() { ClusterId = Id, Verb = Get, StateId = 1 }, "id 00000001 is not registered");
        await CheckRefusedAsync(Update(operation: 1), "the operation with id 0000000000000001 is not registered");
        var large = new StateRequest
        {
            ClusterId = Id, Verb = StateVerb.Put, StateId = SimulatedCluster.Carts.Id, Payload = new byte[5 << 20],
        };
        await CheckRefusedAsync(large, "larger than MaxValueBytes");
    }

    [Fact]
    public async Task ExecuteAsync_OlderEpochAndMoved_IsToldTheEntryThatStands()
    {
        var (old, other) = (Epoch, Other);
        await _cluster.MoveAsync(default, other);
        var reply = await ExecuteAsync(Request(StateVerb.Get, old.Value));
        Assert.Equal((StateReplyStatus.Moved, _cluster.Table.Version), (reply.Status, reply.TableVersion));
        var route = reply.Moved!.ToRoute();
        Assert.Equal(_cluster.Table[default], route.Entry);
        Assert.Equal((other.Node, other.Member.Address), (route.Owner!.Node, route.Owner.Address));
    }

    [Fact]
    public async Task ExecuteAsync_OlderEpochOfTheSameOwner_IsExecuted()
    {
        await Node.Carts.PutAsync("a", new Cart());
        var old = Epoch;
        await _cluster.MoveAsync(default, Other);
        await _cluster.MoveAsync(default, Node);
        var reply = await ExecuteAsync(Request(StateVerb.Get, old.Value));
        Assert.Equal(StateReplyStatus.Done, reply.Status);
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

        Assert.Equal((1, Epoch), (Node.Describe(default)!.Entries, Node.Describe(default)!.Epoch));
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
            ClusterId = Guid.NewGuid(),
            Verb = StateVerb.Remove,
            StateId = SimulatedCluster.Carts.Id,
            Epoch = Epoch.Value,
            Key = "a"u8.ToArray(),
        };
        var reply = await ExecuteAsync(foreign);
        Assert.Equal(StateReplyStatus.NotReady, reply.Status);
        Assert.Contains($"belongs to cluster {Id}", reply.Message, StringComparison.Ordinal);
        Assert.NotNull(await Node.Carts.GetAsync("a"));
    }

    [Fact]
    public async Task Drain_NodeWithRecords_GivesAllAwayAndStaysInTheList()
    {
        for (var number = 0; number < 100; number++)
            await Node.Carts.PutAsync($"k{number}", new Cart());
        var other = Other;
        Node.Store.Drain();
        await _cluster.UntilAsync(() => _cluster.IsQuiet && Node.RecordCount == 0);
        Assert.Equal((other, MemberState.Draining), (_cluster.OwnerOf(default), Node.Member.State));
        Assert.Equal((100, 0), (other.Describe(default)!.Entries, _cluster.Table[default].LossCount));
    }

    [Fact]
    public async Task Leave_NodeWithRecords_AnswersNothingMoreAndIsGone()
    {
        await Node.Carts.PutAsync("a", new Cart());
        Node.Store.Leave();
        Assert.Equal(StateReplyStatus.NotReady, (await ExecuteAsync(Request(StateVerb.Get, Epoch.Value))).Status);
        Assert.Equal(StateReplyStatus.NotReady, (await ExecuteAsync(Request(StateVerb.Remove, Epoch.Value))).Status);
        await _cluster.UntilAsync(() => _cluster.Table.FindMember(Node.Node) is null or { State: MemberState.Gone });
        await _cluster.UntilAsync(() => _cluster.Table[default].LossCount == 1);
        Assert.NotEqual(Node, _cluster.OwnerOf(default));
    }

    [Fact]
    public async Task Dispose_Twice_AnswersNothingMore()
    {
        await Node.Carts.PutAsync("a", new Cart());
        Node.Kill();
        Node.Store.Dispose();
        Assert.Equal(StateReplyStatus.NotReady, (await ExecuteAsync(Request(StateVerb.Get, Epoch.Value))).Status);
        Assert.Equal(StateReplyStatus.NotReady, (await ExecuteAsync(Request(StateVerb.Remove, Epoch.Value))).Status);
    }

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
        Payload = Array.Empty<byte>(),
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
