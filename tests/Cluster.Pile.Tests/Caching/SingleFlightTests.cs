using Cluster.Testing;

namespace Cluster.Pile.Tests.Caching;

/// <summary>There is one load per key, whichever callers ask and whatever happens during the load.</summary>
public sealed class SingleFlightTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly DictionaryFlightStore _store = new();

    [Fact]
    public Task Callers_OfOneKey_ShareOneLoad() => CheckOneLoadServesAsync(1000);

    [Fact]
    public async Task Callers_OnThreads_FollowAnAsynchronousLoad_AndTheOtherWayRound()
    {
        var answer = new TaskCompletionSource<string>();
        var leader = _store.GetAsync(1, (_, _) => new ValueTask<string>(answer.Task));
        var follower = Blocked(() => _store.Get(1, _ => "not called"), out var thread);
        await UntilWaiting(thread);
        answer.SetResult("async");
        Assert.Equal("async", await leader);
        Assert.Equal("async", await follower);

        using var gate = new ManualResetEventSlim();
        var blocking = Blocked(
            () => _store.Get(2, _ =>
            {
                gate.Wait();
                return "sync";
            }),
            out thread);
        await UntilWaiting(thread);
        var second = _store.GetAsync(2, (_, _) => throw new InvalidOperationException("not called"));
        Assert.False(second.IsCompleted);
        gate.Set();
        Assert.Equal("sync", await blocking);
        Assert.Equal("sync", await second);
        CheckNothingLeft();
    }

    [Fact]
    public async Task SlowLoad_OfOneKey_DelaysNoOther()
    {
        var answer = new TaskCompletionSource<string>();
        var slow = _store.GetAsync(1, (_, _) => new ValueTask<string>(answer.Task));
        for (var key = 2; key < 1000; key++)
            Assert.Equal($"{key}", _store.Get(key, k => $"{k}"));
        Assert.False(slow.IsCompleted);
        answer.SetResult("slow");
        Assert.Equal("slow", await slow);
    }

    [Fact]
    public async Task FailingLoad_ReachesAll_IsNotKept_AndTheNextCallLoads()
    {
        var answer = new TaskCompletionSource<string>();
        var callers = Enumerable.Range(0, 100)
            .Select(_ => _store.GetAsync(1, (_, _) => new ValueTask<string>(answer.Task))).ToList();
        var thread = Blocked(() => _store.Get(1, _ => "not called"), out var blocked);
        await UntilWaiting(blocked);
        answer.SetException(new TimeoutException("source"));
        foreach (var caller in callers.Append(thread))
            Assert.Equal("source", (await Assert.ThrowsAsync<TimeoutException>(() => caller)).Message);
        CheckNothingLeft();
        Assert.Equal(0, _store.Count);
        Assert.Equal("again", _store.Get(1, _ => "again"));
    }

    [Fact]
    public void FactoryThatGivesNull_IsAnError()
    {
        Assert.Throws<InvalidOperationException>(() => _store.Get(1, _ => null!));
        CheckNothingLeft();
    }

    [Fact]
    public async Task CancelledFollower_EndsOnlyItsWait()
    {
        using var cancellation = new CancellationTokenSource();
        var answer = new TaskCompletionSource<string>();
        var leader = _store.GetAsync(1, (_, _) => new ValueTask<string>(answer.Task));
        var cancelled = _store.GetAsync(1, NotCalled, cancellation.Token);
        var other = _store.GetAsync(1, NotCalled);
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled);
        Assert.False(leader.IsCompleted || other.IsCompleted);
        answer.SetResult("loaded");
        Assert.Equal("loaded", await leader);
        Assert.Equal("loaded", await other);
        CheckNothingLeft();
    }

    [Fact]
    public async Task CancelledLeader_HandsOver()
    {
        using var cancellation = new CancellationTokenSource();
        var leader = _store.GetAsync(1, Endless, cancellation.Token);
        var calls = 0;
        var others = Enumerable.Range(0, 100).Select(_ => _store.GetAsync(1, async (_, token) =>
        {
            Interlocked.Increment(ref calls);
            await Eventually.TrueAsync(() => _store.Flights.Count == 1, Bound);
            return "second";
        })).ToList();
        Assert.Equal(0, calls);
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => leader);
        Assert.All(await Task.WhenAll(others), value => Assert.Equal("second", value));
        Assert.Equal(1, calls);
        CheckNothingLeft();
    }

    [Fact]
    public async Task FactoryCancelledByItself_IsAFailureLikeAnother()
    {
        var answer = new TaskCompletionSource<string>();
        var leader = _store.GetAsync(1, (_, _) => new ValueTask<string>(answer.Task));
        var follower = _store.GetAsync(1, NotCalled);
        answer.SetCanceled();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => leader);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => follower);
        CheckNothingLeft();
    }

    [Fact]
    public async Task FactoryThatAsksForItsOwnKey_IsRefused_SynchronousOrNot()
    {
        CheckCircle(Assert.Throws<InvalidOperationException>(() => _store.Get(1, key => _store.Get(key, _ => ""))));
        CheckCircle(await Assert.ThrowsAsync<InvalidOperationException>(() => _store.GetAsync(1, async (key, token) =>
        {
            await Task.Yield();
            return await _store.GetAsync(key, NotCalled, token);
        })));
        CheckCircle(Assert.Throws<InvalidOperationException>(
            () => _store.Get(1, _ => _store.Get(2, _ => _store.Get(1, _ => "")))));
        CheckNothingLeft();
    }

    [Fact]
    public async Task FactoriesThatWaitForEachOther_AreNotBothLeftWaiting()
    {
        var (first, second) = (new TaskCompletionSource(), new TaskCompletionSource());
        var one = _store.GetAsync(1, async (_, token) =>
        {
            await first.Task;
            return "1" + await _store.GetAsync(2, NotCalled, token);
        });
        var two = _store.GetAsync(2, async (_, token) =>
        {
            await second.Task;
            return "2" + await _store.GetAsync(1, NotCalled, token);
        });
        first.SetResult();
        second.SetResult();
        CheckCircle(await Assert.ThrowsAsync<InvalidOperationException>(() => one));
        CheckCircle(await Assert.ThrowsAsync<InvalidOperationException>(() => two));
        CheckNothingLeft();
    }

    [Fact]
    public async Task FactoryThatAsksForOtherKeys_GetsThem_AlsoTogether()
    {
        Assert.Equal("1 2 3", _store.Get(1, key => $"{key} {_store.Get(2, k => $"{k} {_store.Get(3, x => $"{x}")}")}"));
        var both = await _store.GetAsync(10, async (_, token) => string.Concat(await Task.WhenAll(
            _store.GetAsync(11, Slow, token), _store.GetAsync(12, Slow, token), _store.GetAsync(11, Slow, token))));
        Assert.Equal("111211", both);
        CheckNothingLeft();

        static async ValueTask<string> Slow(int key, CancellationToken cancellationToken)
        {
            await Task.Yield();
            return $"{key}";
        }
    }

    [Fact]
    public async Task WorkThatAFactoryLeavesRunning_BelongsToNoLoadAnyMore()
    {
        var over = new TaskCompletionSource();
        Task<string>? left = null;
        _store.Get(1, key =>
        {
            left = Later();
            return "loaded";

            async Task<string> Later()
            {
                await over.Task;
                _store.Remove(1);
                return await _store.GetAsync(1, (_, _) => new ValueTask<string>("later"));
            }
        });
        over.SetResult();
        Assert.Equal("later", await left!);
    }

    [Fact]
    public async Task PutDuringALoad_WinsOverItsResult()
    {
        var answer = new TaskCompletionSource<string>();
        var leader = _store.GetAsync(1, (_, _) => new ValueTask<string>(answer.Task));
        var follower = _store.GetAsync(1, NotCalled);
        _store.Put(1, "put");
        Assert.Equal("put", _store.Get(1, _ => "not called"));
        answer.SetResult("loaded");
        Assert.Equal("put", await leader);
        Assert.Equal("put", await follower);
        Assert.Equal("put", _store.Get(1, _ => "not called"));
        CheckNothingLeft();
    }

    [Fact]
    public async Task RemoveDuringALoad_WinsOverItsResult_AndLaterCallersLoadAnew()
    {
        var answer = new TaskCompletionSource<string>();
        var leader = _store.GetAsync(1, (_, _) => new ValueTask<string>(answer.Task));
        Assert.False(_store.Remove(1));
        Assert.Equal("new", _store.Get(1, _ => "new"));
        _store.Remove(1);
        var follower = _store.GetAsync(1, (_, _) => new ValueTask<string>("newer"));
        Assert.Equal("newer", await follower);
        _store.Remove(1);
        answer.SetResult("old");
        Assert.Equal("old", await leader);
        Assert.Equal(0, _store.Count);
        CheckNothingLeft();
    }

    [Fact]
    public async Task FollowersOfALoadThatWasOvertaken_LoadAnew()
    {
        var answer = new TaskCompletionSource<string>();
        var leader = _store.GetAsync(1, (_, _) => new ValueTask<string>(answer.Task));
        var follower = _store.GetAsync(1, (_, _) => new ValueTask<string>("new"));
        _store.Remove(1);
        answer.SetResult("old");
        Assert.Equal("old", await leader);
        Assert.Equal("new", await follower);
        CheckNothingLeft();
    }

    [Fact]
    public Task AllFollowers_GetTheValue_WhenItCannotBeKept()
    {
        _store.IsFull = true;
        return CheckOneLoadServesAsync(100);
    }

    [Fact]
    public async Task OvertakingAll_OvertakesEveryLoad()
    {
        var answer = new TaskCompletionSource<string>();
        var leaders = Enumerable.Range(0, 10)
            .Select(key => _store.GetAsync(key, (_, _) => new ValueTask<string>(answer.Task))).ToList();
        Assert.Equal(10, _store.Flights.Count);
        _store.Flights.OvertakeAll();
        answer.SetResult("old");
        await Task.WhenAll(leaders);
        Assert.Equal(0, _store.Count);
        CheckNothingLeft();
    }

    private async Task CheckOneLoadServesAsync(int callerCount)
    {
        var (calls, answer) = (0, new TaskCompletionSource<string>());
        var callers = Enumerable.Range(0, callerCount).Select(_ => _store.GetAsync(1, (_, _) =>
        {
            calls++;
            return new ValueTask<string>(answer.Task);
        })).ToList();
        answer.SetResult("loaded");
        Assert.All(await Task.WhenAll(callers), value => Assert.Equal("loaded", value));
        Assert.Equal(1, calls);
        CheckNothingLeft();
    }

    private static ValueTask<string> NotCalled(int key, CancellationToken cancellationToken) =>
        throw new InvalidOperationException("called after all");

    private static async ValueTask<string> Endless(int key, CancellationToken cancellationToken)
    {
        await Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, cancellationToken);
        return "";
    }

    private static void CheckCircle(InvalidOperationException failure) =>
        Assert.Contains("waits for its own key", failure.Message, StringComparison.Ordinal);

    private static Task<string> Blocked(Func<string> work, out Thread thread)
    {
        var done = new TaskCompletionSource<string>();
        thread = new Thread(() =>
        {
            try
            {
                done.SetResult(work());
            }
            catch (Exception failure)
            {
                done.SetException(failure);
            }
        });
        thread.Start();
        return done.Task;
    }

    private static Task UntilWaiting(Thread thread) =>
        Eventually.TrueAsync(() => thread.ThreadState.HasFlag(System.Threading.ThreadState.WaitSleepJoin), Bound);

    private void CheckNothingLeft() => Assert.Equal(0, _store.Flights.Count);
}
