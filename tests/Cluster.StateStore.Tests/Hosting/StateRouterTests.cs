using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Tests.Hosting;

/// <summary>Operations find their owner while tables change and nodes fail.</summary>
public sealed class StateRouterTests : IAsyncDisposable
{
    private readonly SimulatedCluster _cluster = new(nodes: 3);
    private readonly StateClient<string, Cart> _outside;

    public StateRouterTests() => _outside = new StateClient<string, Cart>(SimulatedCluster.Carts, _cluster.Client);

    public ValueTask DisposeAsync() => _cluster.DisposeAsync();

    [Fact]
    [Trait("Case", "glue-88")]
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
    [Trait("Case", "glue-88")]
    public async Task SendAsync_TableAHundredVersionsOld_NeedsAtMostTwoRedirects()
    {
        var (key, partition) = KeyOn(0);
        await _outside.PutAsync(key, new Cart { Owner = "ann" });
        var first = _cluster.Table.Version;
        for (var move = 1; move <= 34; move++)
            await _cluster.MoveAsync(partition, _cluster[move % 3]);
        Assert.True(_cluster.Table.Version > first + 100);
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
        var started = _cluster.Manual.Elapsed;
        var call = _outside.PutAsync(key, new Cart()).AsTask();
        await _cluster.RunAsync(call);
        var error = await Assert.ThrowsAsync<StateUnavailableException>(() => call);
        Assert.Equal((partition, _cluster[0].Node), (error.Partition, error.Owner!.Value));
        Assert.Same(refused, error.InnerException);
        Assert.Contains($"Partition {partition} of state 'carts', owned by n1/", error.Message, StringComparison.Ordinal);
        Assert.Contains("http://127.0.0.1:5001", error.Message, StringComparison.Ordinal);
        Assert.Contains("could not be reached (Connection refused)", error.Message, StringComparison.Ordinal);
        Assert.InRange(_cluster.Manual.Elapsed - started, TimeSpan.FromSeconds(9), TimeSpan.FromSeconds(11));
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
            await _cluster.RunAsync(call);
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
        await _cluster.RunAsync(call);
        await call;
    }

    [Fact]
    public async Task SendAsync_OutcomeUnknownUntilTheDeadline_SaysSo()
    {
        var (key, _) = KeyOn(0);
        var unknown = LinkEnded();
        _cluster.BeforeCall = _ => throw unknown;
        var call = _outside.PutAsync(key, new Cart()).AsTask();
        await _cluster.RunAsync(call);
        var error = await Assert.ThrowsAsync<StateOutcomeUnknownException>(() => call);
        Assert.Same(unknown, error.InnerException);
        Assert.Contains("is unknown: its owner could not be reached (The link ended)", error.Message, StringComparison.Ordinal);
        Assert.True(_cluster.CallCount > 5);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [Trait("Case", "replica-dedup")]
    public async Task SendAsync_RepliesLost_RepeatsAndHasOneEffect(int backups)
    {
        await using var cluster = new SimulatedCluster(nodes: 2, backups: backups);
        var key = cluster.KeyOn(SimulatedCluster.Counts, cluster[1]);
        var counts = new StateClient<string, int?>(SimulatedCluster.Counts, cluster[0].Router);
        for (var expected = 1; expected <= 3; expected++)
        {
            var losses = 2;
            cluster.AfterCall = _ =>
            {
                if (losses-- > 0)
                    throw LinkEnded();
            };
            var before = cluster.CallCount;
            Assert.Equal(expected, await cluster.RunAsync(counts.UpdateAsync(key, default(Increment))));
            Assert.Equal(3, cluster.CallCount - before);
        }

        cluster.AfterCall = _ =>
        {
            cluster.AfterCall = null;
            throw LinkEnded();
        };
        Assert.True(await cluster.RunAsync(counts.RemoveAsync(key)));
        Assert.False(await cluster.RunAsync(counts.RemoveAsync(key)));
    }

    [Fact]
    [Trait("Case", "replica-dedup")]
    public async Task SendAsync_OwnerKilledAfterItHasWritten_TheBackupRecognizesTheWrite()
    {
        await using var cluster = new SimulatedCluster(nodes: 3, backups: 1);
        var key = cluster.KeyOn(SimulatedCluster.Counts, cluster[2]);
        var counts = new StateClient<string, int?>(SimulatedCluster.Counts, cluster[0].Router);
        cluster.AfterCall = _ =>
        {
            cluster.AfterCall = null;
            cluster[2].Kill();
            throw LinkEnded();
        };
        Assert.Equal(1, await cluster.RunAsync(counts.UpdateAsync(key, default(Increment))));
        Assert.Equal(1, await cluster.RunAsync(counts.GetAsync(key)));
    }

    [Fact]
    [Trait("Case", "shop-keys")]
    public async Task SendAsync_OwnerStandsStillInTheCall_TheNextOwnerAnswersBeforeTheDeadline()
    {
        await using var cluster = new SimulatedCluster(nodes: 3, backups: 1);
        var key = cluster.KeyOn(SimulatedCluster.Counts, cluster[2]);
        var counts = new StateClient<string, int?>(SimulatedCluster.Counts, cluster[0].Router);
        cluster.BeforeCall = _ =>
        {
            // The first call stays under way for ever; later ones end.
            cluster.HoldCall = cluster[2].IsKilled
                ? null
                : cancellation => Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, cancellation);
            cluster[2].Kill();
        };
        var started = cluster.Manual.Elapsed;

        Assert.Equal(1, await cluster.RunAsync(counts.UpdateAsync(key, default(Increment))));

        Assert.InRange(cluster.Manual.Elapsed - started, StateRouter.BriefTime, TimeSpan.FromSeconds(9));
        Assert.Equal(1, await cluster.RunAsync(counts.GetAsync(key)));
    }

    /// <summary>A process that is no node suspects nobody, so its second attempt goes to the same owner.</summary>
    [Fact]
    public async Task SendAsync_TableNamesTheNextOwnerInTheSecondAttempt_GoesThereAtOnce()
    {
        await using var cluster = new SimulatedCluster(nodes: 3, backups: 1);
        await using var client = new StateRouter(
            cluster[0].View, new SimulatedCluster.Directory(cluster), cluster.Hash, null, cluster.RouterOptions());
        var key = cluster.KeyOn(SimulatedCluster.Counts, cluster[2]);
        var counts = new StateClient<string, int?>(SimulatedCluster.Counts, client);
        var held = cluster[2].Member.Slot;
        var attempts = 0;
        cluster.BeforeCall = member =>
        {
            cluster.HoldCall = member.Slot == held
                ? cancellation => Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, cancellation)
                : null;
            if (member.Slot == held && ++attempts == 2)
                cluster[2].Kill();
        };
        var started = cluster.Manual.Elapsed;

        Assert.Equal(1, await cluster.RunAsync(counts.UpdateAsync(key, default(Increment))));

        Assert.Equal(2, attempts);
        Assert.InRange(cluster.Manual.Elapsed - started, StateRouter.BriefTime, TimeSpan.FromSeconds(5.5));
        Assert.Equal(1, await cluster.RunAsync(counts.GetAsync(key)));
    }

    /// <summary>A caller tells an owner the layouts of its values before it writes there for the first time.</summary>
    [Fact]
    public async Task SendAsync_OwnerStandsStillBeforeTheFirstWrite_TheNextOwnerTakesTheWrite()
    {
        await using var cluster = new SimulatedCluster(nodes: 3, backups: 1);
        var key = cluster.KeyOn(SimulatedCluster.Carts, cluster[2]);
        var carts = new StateClient<string, Cart>(SimulatedCluster.Carts, cluster[0].Router);
        var slot = cluster[2].Member.Slot;
        var held = 0;
        cluster.HoldLayouts = member =>
        {
            if (member.Slot != slot)
                return Task.CompletedTask;
            held++;
            cluster[2].Kill();
            return Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System);
        };
        var started = cluster.Manual.Elapsed;

        await cluster.RunAsync(carts.PutAsync(key, new Cart()));

        Assert.True(held > 0, "The caller told the owner no layouts.");
        Assert.InRange(cluster.Manual.Elapsed - started, StateRouter.BriefTime, TimeSpan.FromSeconds(9));
        Assert.NotNull(await cluster.RunAsync(carts.GetAsync(key)));
    }

    [Fact]
    public async Task SendAsync_ResultTooLargeToBeKept_SaysThatTheOperationWasCarriedOut()
    {
        var text = new string('x', 2_000);
        var key = Enumerable.Range(0, 1_000).Select(number => (long)number).First(IsElsewhere);
        var texts = new StateClient<long, string>(SimulatedCluster.Texts, _cluster[0].Router);
        var losses = 1;
        _cluster.AfterCall = _ =>
        {
            if (losses-- > 0)
                throw LinkEnded();
        };
        var call = texts.UpdateAsync(key, new EchoText(text)).AsTask();
        await _cluster.RunAsync(call);
        var error = await Assert.ThrowsAsync<StateOutcomeUnknownException>(() => call);
        Assert.Contains("was carried out; its result was too large", error.Message, StringComparison.Ordinal);
        Assert.Equal(text, await _cluster.RunAsync(texts.GetAsync(key)));

        bool IsElsewhere(long candidate) => new StateClient<long, string>(SimulatedCluster.Texts, _cluster[0].Router)
            .RouteOf(candidate).Owner!.Node != _cluster[0].Node;
    }

    [Fact]
    public async Task SendAsync_RefusedAfterAnUnknownOutcome_StaysUnknown()
    {
        var (key, _) = KeyOn(0);
        var calls = 0;
        _cluster.BeforeCall = _ => throw (calls++ == 0
            ? LinkEnded()
            : new GlueException(
                GlueErrorKind.Refused, GlueDelivery.NotDelivered, GlueErrorCode.UnknownContract, "No such contract."));
        var call = _outside.PutAsync(key, new Cart()).AsTask();
        await _cluster.RunAsync(call);
        await Assert.ThrowsAsync<StateOutcomeUnknownException>(() => call);
        Assert.Equal(2, _cluster.CallCount);
    }

    [Fact]
    public async Task SendAsync_ReadWithUnknownOutcome_IsTriedAgain()
    {
        var (key, _) = KeyOn(0);
        var failures = 2;
        _cluster.BeforeCall = _ =>
        {
            if (failures-- > 0)
                throw LinkEnded();
        };
        var call = _outside.GetAsync(key).AsTask();
        await _cluster.RunAsync(call);
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
        var view = new TableView(null, ClusterTable.CreateEmpty(16).WithSet(0)
            .WithStates([new StatePlacement(SimulatedCluster.Carts.Id, 0)]));
        var router = new StateRouter(
            view, new SimulatedCluster.Directory(_cluster), _cluster.Hash, null, _cluster.RouterOptions());
        var call = new StateClient<string, Cart>(SimulatedCluster.Carts, router).GetAsync("a").AsTask();
        await _cluster.RunAsync(call);
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
        Assert.False(call.IsCompleted);
        view.Publish(_cluster.Table);
        Assert.Null(await call.WaitAsync(TimeSpan.FromMinutes(1), TimeProvider.System));
    }

    [Fact]
    public async Task SendAsync_OwnerGoneAndTakenOver_FindsTheNewOwnerEmpty()
    {
        var (key, partition) = KeyOn(0);
        await _outside.PutAsync(key, new Cart());
        _cluster[0].Kill();
        _cluster.BeforeCall = member =>
        {
            if (member.Node == _cluster[0].Node)
                throw NotDelivered();
        };
        var read = _cluster[2].Carts.GetAsync(key).AsTask();
        Assert.False(read.IsCompleted);
        await _cluster.RunAsync(read);
        Assert.Null(await read);
        Assert.Equal(1, _cluster.Table[partition].LossCount);
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
        Assert.False(call.IsCompleted);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
    }

    [Fact]
    public async Task SendAsync_RequestNamesANewerEpoch_TellsTheHostOfTheOwnerAndWaits()
    {
        var (key, partition) = KeyOn(0);
        var old = _cluster.Table[partition].Epoch;
        var table = _cluster.Table;
        var entry = table[partition] with { Epoch = old.Next() };
        _cluster[1].View.Publish(table.StartSuccessor(Guid.NewGuid()).WithPartition(partition, entry));
        var call = _cluster[1].Carts.PutAsync(key, new Cart()).AsTask();
        Assert.False(call.IsCompleted);
        Assert.Equal((partition, old.Next()), _cluster[0].Heard[0]);
        Assert.Equal(old, _cluster[0].Describe(partition)!.Epoch);

        // The owner reads the store then. As soon as its table is as new, it answers.
        _cluster[0].View.Publish(_cluster[1].View.Current);
        await _cluster.RunAsync(call);
        await call;
    }

    private static GlueException LinkEnded() =>
        new(GlueErrorKind.Broken, GlueDelivery.Unknown, GlueErrorCode.LinkLost, "The link ended.");

    private static GlueException NotDelivered() =>
        new(GlueErrorKind.Unreachable, GlueDelivery.NotDelivered, GlueErrorCode.ConnectFailed, "Connection refused.");

    private (string Key, PartitionId Partition) KeyOn(int node)
    {
        var key = _cluster.KeyOn(_cluster[node]);
        return (key, _cluster.PartitionOf(SimulatedCluster.Carts, key));
    }
}
