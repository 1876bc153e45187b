using Cluster.Nodes.Clocks;
using Cluster.Testing;

namespace Cluster.Nodes.Tests.Clocks;

[Collection(HandleTests.Name)]
public sealed class SuspendAwareTimeProviderTests : IDisposable
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan Never = Timeout.InfiniteTimeSpan;

    private readonly SuspendAwareTimeProvider _time = new();

    public void Dispose() => _time.Dispose();

    [Fact]
    public void Timestamp_GoesOnWithTheSystemsClock()
    {
        var outer = _time.GetTimestamp();
        var inner = Stopwatch.GetTimestamp();
        Assert.True(SpinWait.SpinUntil(() => Stopwatch.GetElapsedTime(inner) > TimeSpan.FromMilliseconds(20), Bound));
        var passed = Stopwatch.GetElapsedTime(inner);

        // The two clocks may differ by what their resolutions lose.
        Assert.InRange(_time.GetElapsedTime(outer), passed - TimeSpan.FromMilliseconds(17), Bound);
    }

    [RequiresUnixFact]
    public void Timestamp_CountsSuspendedTime() => Assert.True(BootClock.CountsSuspension);

    [Fact]
    public void Utc_IsThatOfTheSystem() =>
        Assert.InRange(_time.GetUtcNow() - TimeProvider.System.GetUtcNow(), -Bound, Bound);

    [Fact]
    public async Task CreateTimer_FiresOnTheThreadOfTheProvider()
    {
        var fired = new TaskCompletionSource<Thread>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var timer = _time.CreateTimer(
            state => ((TaskCompletionSource<Thread>)state!).SetResult(Thread.CurrentThread), fired, TimeSpan.Zero, Never);
        var thread = await fired.Task.WaitAsync(Bound);
        Assert.Equal((TimerThread.Name, false), (thread.Name, thread.IsThreadPoolThread));
    }

    [Fact]
    public async Task CreateTimer_PoolStarved_FiresAllTheSame()
    {
        await using var child = StarvedChild.Start(StarvedChild.Timer);
        await child.WaitForLineAsync(line => line == StarvedChild.Done, Bound);
    }

    [Fact]
    public async Task CreateTimer_CallbackFails_EndsTheProcess()
    {
        await using var child = StarvedChild.Start(StarvedChild.FailingTimer);
        Assert.NotEqual(0, await child.WaitForExitAsync(Bound));
        Assert.Contains(StarvedChild.Failure, child.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task CreateTimer_CallsInTheContextOfItsMaker()
    {
        var value = new AsyncLocal<int> { Value = 7 };
        var seen = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var timer = _time.CreateTimer(_ => seen.SetResult(value.Value), null, TimeSpan.Zero, Never);
        Assert.Equal(7, await seen.Task.WaitAsync(Bound));
    }

    [Fact]
    public void CreateTimer_ImpossibleTimes_AreRefused()
    {
        Assert.Throws<ArgumentNullException>(() => _time.CreateTimer(null!, null, Never, Never));
        Assert.Throws<ArgumentOutOfRangeException>(
            () => _time.CreateTimer(_ => { }, null, TimeSpan.FromMilliseconds(-2), Never));
        Assert.Throws<ArgumentOutOfRangeException>(() => _time.CreateTimer(_ => { }, null, Never, TimeSpan.MaxValue));
    }

    [Fact]
    public async Task Change_ToAnEarlierTime_FiresThen()
    {
        var fired = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var timer = _time.CreateTimer(_ => fired.SetResult(), null, TimeSpan.FromDays(1), Never);
        Assert.True(timer.Change(TimeSpan.FromMilliseconds(1), Never));
        await fired.Task.WaitAsync(Bound);
    }

    [Fact]
    public async Task Change_ToNever_FiresNoMore()
    {
        var order = new ConcurrentQueue<int>();
        using var begun = new ManualResetEventSlim();
        using var isFree = new ManualResetEventSlim();
        await using var blocker = _time.CreateTimer(
            _ =>
            {
                begun.Set();
                isFree.Wait();
            },
            null, TimeSpan.Zero, Never);
        Assert.True(begun.Wait(Bound));
        await using var first = _time.CreateTimer(_ => order.Enqueue(1), null, TimeSpan.Zero, Never);
        Assert.True(first.Change(Never, Never));
        await using var second = _time.CreateTimer(_ => order.Enqueue(2), null, TimeSpan.Zero, Never);
        isFree.Set();
        await Eventually.TrueAsync(() => !order.IsEmpty, Bound);
        Assert.Equal([2], order);
    }

    [Fact]
    public async Task Fire_SeveralTimers_InTheOrderOfTheirTimes()
    {
        // If the test stood still while it made the timers, their times are in another order.
        var gap = TimeSpan.FromMilliseconds(50);
        int[] fired;
        bool isQuick;
        do
        {
            var order = new ConcurrentQueue<int>();
            var begun = Stopwatch.GetTimestamp();
            ITimer[] timers =
            [
                .. new[] { 3, 1, 2 }.Select(
                    number => _time.CreateTimer(_ => order.Enqueue(number), null, number * gap, Never)),
            ];
            isQuick = Stopwatch.GetElapsedTime(begun) < gap / 2;
            await Eventually.TrueAsync(() => order.Count == timers.Length, Bound);
            foreach (var timer in timers)
                await timer.DisposeAsync();
            fired = [.. order];
        }
        while (!isQuick);

        Assert.Equal([1, 2, 3], fired);
    }

    [Fact]
    public async Task Fire_WithAPeriod_RepeatsUntilTheTimerEnds()
    {
        var count = 0;
        var timer = _time.CreateTimer(
            _ => Interlocked.Increment(ref count), null, TimeSpan.Zero, TimeSpan.FromMilliseconds(1));
        await Eventually.TrueAsync(() => Volatile.Read(ref count) >= 5, Bound);
        await timer.DisposeAsync();
        var ended = Volatile.Read(ref count);
        await using var later = _time.CreateTimer(
            _ => Interlocked.Add(ref count, 1_000), null, TimeSpan.FromMilliseconds(20), Never);
        await Eventually.TrueAsync(() => Volatile.Read(ref count) >= 1_000, Bound);
        Assert.Equal(ended + 1_000, count);
    }

    /// <summary>The callback disposes the timer and arms it again, as careless code may.</summary>
    [Fact]
    public async Task Dispose_WithinTheCallback_EndsTheTimer()
    {
        var isChanged = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        ITimer? timer = null;
        timer = _time.CreateTimer(
            _ =>
            {
                timer!.Dispose();
                isChanged.SetResult(timer.Change(TimeSpan.Zero, Never));
            },
            null, Never, Never);
        timer.Change(TimeSpan.Zero, Never);
        Assert.False(await isChanged.Task.WaitAsync(Bound));
    }

    [Fact]
    public async Task DisposeAsync_WhileTheCallbackRuns_WaitsForIt()
    {
        using var begun = new ManualResetEventSlim();
        using var isFree = new ManualResetEventSlim();
        var timer = _time.CreateTimer(
            _ =>
            {
                begun.Set();
                isFree.Wait();
            },
            null, TimeSpan.Zero, Never);
        Assert.True(begun.Wait(Bound));
        var ending = timer.DisposeAsync().AsTask();
        Assert.False(ending.IsCompleted);
        isFree.Set();
        await ending.WaitAsync(Bound);
        await timer.DisposeAsync();
    }

    [Fact]
    public void Dispose_EndsTheThreadAndAllTimers()
    {
        var count = 0;
        using var begun = new ManualResetEventSlim();
        Thread? thread = null;
        var timer = _time.CreateTimer(
            _ =>
            {
                thread = Thread.CurrentThread;
                Interlocked.Increment(ref count);
                begun.Set();
            },
            null, TimeSpan.Zero, TimeSpan.FromMilliseconds(1));
        Assert.True(begun.Wait(Bound));
        _time.Dispose();
        _time.Dispose();
        Assert.False(thread!.IsAlive);
        Assert.False(timer.Change(TimeSpan.Zero, Never));
        timer.Dispose();
    }

    [Fact]
    public void NodeClock_OfTheSystem_IsItsOwn_AndAnotherOneIsKept()
    {
        var manual = new ManualTimeProvider();
        using var own = new NodeClock(TimeProvider.System);
        using var given = new NodeClock(manual);
        Assert.IsType<SuspendAwareTimeProvider>(own.Time);
        Assert.Same(manual, given.Time);
    }
}
