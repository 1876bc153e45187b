using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Tests.Local;

namespace Cluster.StateStore.Tests.Hosting;

/// <summary>Operations find their owner while tables change and nodes fail.</summary>
public sealed class StateRouterTests : IAsyncDisposable
{
    private readonly SimulatedCluster _cluster = new(nodes: 3);
    private readonly StateClient<string, Cart> _outside;

    public StateRouterTests() => _outside = new StateClient<string, Cart>(SimulatedCluster.Carts, _cluster.Client);

    public ValueTask DisposeAsync() => _cluster.DisposeAsync();

    [Fact]
    public async Task SendAsync_PartitionMoved_FollowsOneRedirectAndRemembersIt()
    {
        var (key, partition) = KeyOn(0);
        await _outside.PutAsync(key, new Cart { Owner = "ann" });
        await _cluster.MoveAsync(partition, _cluster[1]);
        var before = _cluster.CallCount;
        Assert.Equal("ann", (await _outside.GetAsync(key))!.Owner);
        Assert.Equal(before + 2, _cluster.CallCount);
        Assert.Equal("ann", (await _outside.GetAsync(key))!.Owner);
        Assert.Equal(before + 3, _cluster.CallCount);
        Assert.Equal(_cluster[1].Member.Node, _outside.RouteOf(key).Owner!.Node);
    }

    [Fact]
    public async Task SendAsync_TableAHundredVersionsOld_NeedsAtMostTwoRedirects()
    {
        var (key, partition) = KeyOn(0);
        await _outside.PutAsync(key, new Cart { Owner = "ann" });
        for (var move = 1; move <= 34; move++)
            await _cluster.MoveAsync(partition, _cluster[move % 3]);
        Assert.True(_cluster.Table.Version > 100);
        var before = _cluster.CallCount;
        Assert.Equal("ann", (await _outside.GetAsync(key))!.Owner);
        Assert.InRange(_cluster.CallCount - before, 1, 3);
    }

    [Fact]
    public async Task SendAsync_OwnerUnreachable_EndsAsUnavailableAtTheDeadlineAndSaysWhy()
    {
        var (key, partition) = KeyOn(0);
        var refused = new GlueException(
            GlueErrorKind.Unreachable, GlueDelivery.NotDelivered, GlueErrorCode.ConnectFailed, "Connection refused.");
        _cluster.BeforeCall = _ => throw refused;
        var call = _outside.PutAsync(key, new Cart()).AsTask();
        await AdvanceUntilAsync(call);
        var error = await Assert.ThrowsAsync<StateUnavailableException>(() => call);
        Assert.Equal((partition, _cluster[0].Member.Node), (error.Partition, error.Owner!.Value));
        Assert.Same(refused, error.InnerException);
        Assert.Contains($"Partition {partition} of state 'carts', owned by n1/", error.Message, StringComparison.Ordinal);
        Assert.Contains("http://127.0.0.1:5001", error.Message, StringComparison.Ordinal);
        Assert.Contains("could not be reached (Connection refused)", error.Message, StringComparison.Ordinal);
        Assert.InRange(_cluster.Manual.Elapsed, TimeSpan.FromSeconds(9), TimeSpan.FromSeconds(11));
    }

    [Fact]
    public async Task SendAsync_OwnerFallsSilentAfterAWhile_OneDeadlineBoundsTheWhole()
    {
        var (key, _) = KeyOn(0);
        _cluster.HoldCall = cancellation => Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, cancellation);
        foreach (var isRead in new[] { true, false })
        {
            var started = _cluster.Manual.Elapsed;
            _cluster.BeforeCall = _ =>
            {
                if (_cluster.Manual.Elapsed - started < TimeSpan.FromSeconds(6))
                    throw NotDelivered();
            };
            Task call = isRead ? _outside.GetAsync(key).AsTask() : _outside.PutAsync(key, new Cart()).AsTask();
            await AdvanceUntilAsync(call);
            Assert.InRange(
                _cluster.Manual.Elapsed - started, TimeSpan.FromSeconds(9.5), TimeSpan.FromSeconds(10.7));
            if (isRead)
            {
                await Assert.ThrowsAsync<StateUnavailableException>(() => call);
                continue;
            }

            var error = await Assert.ThrowsAsync<StateOutcomeUnknownException>(() => call);
            var unknown = Assert.IsType<GlueException>(error.InnerException);
            Assert.Equal((GlueErrorKind.Deadline, GlueDelivery.Unknown), (unknown.Kind, unknown.Delivery));
        }
    }

    [Fact]
    public async Task SendAsync_OwnerReachableAgain_Succeeds()
    {
        var (key, _) = KeyOn(0);
        var failures = 5;
        _cluster.BeforeCall = _ =>
        {
            if (failures-- > 0)
                throw NotDelivered();
        };
        var call = _outside.PutAsync(key, new Cart()).AsTask();
        await AdvanceUntilAsync(call);
        await call;
    }

    [Fact]
    public async Task SendAsync_OutcomeUnknown_SaysSoAndDoesNotRetry()
    {
        var (key, _) = KeyOn(0);
        var unknown = new GlueException(
            GlueErrorKind.Broken, GlueDelivery.Unknown, GlueErrorCode.LinkLost, "The link ended.");
        _cluster.BeforeCall = _ => throw unknown;
        var error = await Assert.ThrowsAsync<StateOutcomeUnknownException>(
            async () => await _outside.PutAsync(key, new Cart()));
        Assert.Same(unknown, error.InnerException);
        Assert.Contains("unknown. The link ended.", error.Message, StringComparison.Ordinal);
        Assert.Equal(1, _cluster.CallCount);
    }

    [Fact]
    public async Task SendAsync_ReadWithUnknownOutcome_IsTriedAgain()
    {
        var (key, _) = KeyOn(0);
        var failures = 2;
        _cluster.BeforeCall = _ =>
        {
            if (failures-- > 0)
                throw new GlueException(GlueErrorKind.Broken, GlueDelivery.Unknown, GlueErrorCode.LinkLost, "The link ended.");
        };
        var call = _outside.GetAsync(key).AsTask();
        await AdvanceUntilAsync(call);
        Assert.Null(await call);
        Assert.Equal(3, _cluster.CallCount);
    }

    [Fact]
    public async Task SendAsync_ReadPastItsDeadline_IsUnavailableAtOnceAndNamesTheOwner()
    {
        var (key, _) = KeyOn(0);
        _cluster.BeforeCall = _ => throw new GlueException(
            GlueErrorKind.Deadline, GlueDelivery.Unknown, GlueErrorCode.DeadlineAwaitingReply, "No answer within 2 s.");
        var error = await Assert.ThrowsAsync<StateUnavailableException>(async () => await _outside.GetAsync(key));
        Assert.NotNull(error.Owner);
        Assert.Contains("No answer within 2 s", error.Message, StringComparison.Ordinal);
        Assert.Equal(1, _cluster.CallCount);
    }

    [Fact]
    public async Task SendAsync_CallRefusedByTheTransport_IsNotRetried()
    {
        var (key, _) = KeyOn(0);
        _cluster.BeforeCall = _ => throw new GlueException(
            GlueErrorKind.Refused, GlueDelivery.NotDelivered, GlueErrorCode.UnknownContract, "No such contract.");
        var error = await Assert.ThrowsAsync<StateRefusedException>(
            async () => await _outside.PutAsync(key, new Cart()));
        Assert.IsType<GlueException>(error.InnerException);
        Assert.Equal(1, _cluster.CallCount);
    }

    [Fact]
    public async Task SendAsync_PartitionWithoutOwner_IsUnavailableWithoutACall()
    {
        var view = new TableView(null, ClusterTable.CreateEmpty(16));
        var router = new StateRouter(
            view, new SimulatedCluster.Directory(_cluster), _cluster.Hash, null, _cluster.RouterOptions());
        var call = new StateClient<string, Cart>(SimulatedCluster.Carts, router).GetAsync("a").AsTask();
        await AdvanceUntilAsync(call);
        var error = await Assert.ThrowsAsync<StateUnavailableException>(() => call);
        Assert.Null(error.Owner);
        Assert.Contains("without an owner", error.Message, StringComparison.Ordinal);
        Assert.Equal(0, _cluster.CallCount);
    }

    [Fact]
    public async Task SendAsync_NewerTableArrives_EndsTheWaitAtOnce()
    {
        var view = new TableView(null, ClusterTable.CreateEmpty(16));
        var router = new StateRouter(
            view, new SimulatedCluster.Directory(_cluster), _cluster.Hash, null, _cluster.RouterOptions());
        var call = new StateClient<string, Cart>(SimulatedCluster.Carts, router).GetAsync("a").AsTask();
        await _cluster.Manual.WaitForTimersAsync();
        view.Publish(_cluster.Table);
        Assert.Null(await call.WaitAsync(TimeSpan.FromMinutes(1), TimeProvider.System));
    }

    [Fact]
    public async Task SendAsync_OwnerGoneAndTakenOver_FindsTheNewOwnerEmpty()
    {
        var (key, partition) = KeyOn(0);
        await _outside.PutAsync(key, new Cart());
        await _cluster[0].Store.DisposeAsync();
        _cluster.BeforeCall = member =>
        {
            if (member.Node == _cluster[0].Member.Node)
                throw NotDelivered();
        };
        _cluster.Change(t => t
            .WithMember(_cluster[0].Member with { State = MemberState.Gone })
            .WithPartition(partition, t[partition].DeclareLost(_cluster[1].Member.Slot)));
        _cluster[1].Store.Serve(partition, _cluster.Table[partition].Epoch);
        Assert.Null(await _cluster[2].Carts.GetAsync(key));
        await _cluster[2].Carts.PutAsync(key, new Cart { Owner = "new" });
        Assert.Equal("new", (await _cluster[1].Carts.GetAsync(key))!.Owner);
    }

    [Fact]
    public async Task SendAsync_Cancelled_EndsTheWait()
    {
        var (key, _) = KeyOn(0);
        _cluster.BeforeCall = _ => throw NotDelivered();
        using var cancel = new CancellationTokenSource();
        var call = _outside.GetAsync(key, cancel.Token).AsTask();
        await _cluster.Manual.WaitForTimersAsync();
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
    }

    [Fact]
    public async Task SendAsync_RequestNamesANewerEpoch_TellsTheHostOfTheOwnerAndWaits()
    {
        var (key, partition) = KeyOn(0);
        var old = _cluster.Table[partition].Epoch;
        _cluster.Change(t => t.WithPartition(partition, t[partition].Target(_cluster[1].Member.Slot)));
        _cluster.Change(t => t.WithPartition(partition, t[partition].Join()));
        var call = _cluster[1].Carts.PutAsync(key, new Cart()).AsTask();
        await _cluster.Manual.WaitForTimersAsync();
        Assert.Equal(StateStore.Hosting.Tables.PartitionState.Serving, _cluster[0].Store.GetStatistics(partition).State);
        Assert.Equal((partition, old.Next()), _cluster[0].Heard[0]);
        _cluster[0].Store.Serve(partition, old.Next());
        await AdvanceUntilAsync(call);
        await call;
    }

    private static GlueException NotDelivered() =>
        new(GlueErrorKind.Unreachable, GlueDelivery.NotDelivered, GlueErrorCode.ConnectFailed, "Connection refused.");

    private (string Key, PartitionId Partition) KeyOn(int node)
    {
        var key = _cluster.KeyOn(_cluster[node]);
        return (key, _cluster.PartitionOf(SimulatedCluster.Carts, key));
    }

    private async Task AdvanceUntilAsync(Task call)
    {
        for (var step = 0; step < 1_000 && !call.IsCompleted; step++)
        {
            await Task.WhenAny(call, _cluster.Manual.WaitForTimersAsync());
            _cluster.Manual.Advance(TimeSpan.FromMilliseconds(100));
        }
    }
}
