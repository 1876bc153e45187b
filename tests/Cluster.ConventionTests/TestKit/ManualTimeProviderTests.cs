using Cluster.Testing;

namespace Cluster.ConventionTests.TestKit;

/// <summary>The guarantees of the manual clock to tests.</summary>
public sealed class ManualTimeProviderTests
{
    [Fact]
    public void Clock_WhenNobodyAdvancesIt_StandsStill()
    {
        var clock = new ManualTimeProvider();
        Assert.Equal(clock.GetUtcNow(), clock.GetUtcNow());
        Assert.Equal(TimeSpan.Zero, clock.GetElapsedTime(clock.GetTimestamp()));
    }

    [Fact]
    public void Advance_PastSeveralTimers_FiresThemInOrderAtTheirOwnTimes()
    {
        var clock = new ManualTimeProvider();
        var fired = new List<(string Name, TimeSpan At)>();
        using var late = clock.CreateTimer(
            _ => fired.Add(("late", clock.Elapsed)), null, Seconds(3), Timeout.InfiniteTimeSpan);
        using var often = clock.CreateTimer(_ => fired.Add(("often", clock.Elapsed)), null, Seconds(1), Seconds(2));
        clock.Advance(Seconds(4));
        Assert.Equal([("often", Seconds(1)), ("late", Seconds(3)), ("often", Seconds(3))], fired);
        Assert.Equal(Seconds(4), clock.Elapsed);
    }

    [Fact]
    public void UntilNextTimer_AsTheClockMoves_Shrinks()
    {
        var clock = new ManualTimeProvider();
        Assert.Null(clock.UntilNextTimer);
        using var late = clock.CreateTimer(_ => { }, null, Seconds(5), Timeout.InfiniteTimeSpan);
        using var early = clock.CreateTimer(_ => { }, null, Seconds(3), Timeout.InfiniteTimeSpan);
        clock.Advance(Seconds(1));
        Assert.Equal(Seconds(2), clock.UntilNextTimer);
        clock.Advance(Seconds(2));
        Assert.Equal(Seconds(2), clock.UntilNextTimer);
    }

    [Fact]
    public void Timer_Disposed_NeverFires()
    {
        var clock = new ManualTimeProvider();
        var fired = 0;
        var timer = clock.CreateTimer(_ => fired++, null, Seconds(1), Seconds(1));
        clock.Advance(Seconds(1));
        timer.Dispose();
        clock.Advance(Seconds(10));
        Assert.Equal(1, fired);
        Assert.False(timer.Change(Seconds(1), Seconds(1)));
        Assert.Equal(0, clock.ArmedTimerCount);
    }

    [Fact]
    public void Advance_WhenACallbackArmsAnotherTimer_RunsThatToo()
    {
        var clock = new ManualTimeProvider();
        var reached = TimeSpan.Zero;
        ITimer? second = null;
        using var first = clock.CreateTimer(
            _ => second = clock.CreateTimer(_ => reached = clock.Elapsed, null, Seconds(1), Timeout.InfiniteTimeSpan),
            null,
            Seconds(1),
            Timeout.InfiniteTimeSpan);
        clock.Advance(Seconds(2));
        Assert.Equal(Seconds(2), reached);
        second?.Dispose();
    }

    [Fact]
    public async Task TaskDelay_OnTheClock_EndsWithTheAdvance()
    {
        var clock = new ManualTimeProvider();
        var delay = Task.Delay(Seconds(5), clock);
        await clock.WaitForTimersAsync();
        clock.Advance(Seconds(4));
        Assert.False(delay.IsCompleted);
        clock.Advance(Seconds(1));
        await delay.WaitAsync(Seconds(60));
    }

    [Fact]
    public async Task CancellationTokenSource_OnTheClock_CancelsWithTheAdvance()
    {
        var clock = new ManualTimeProvider();
        using var source = new CancellationTokenSource(Seconds(5), clock);
        clock.Advance(Seconds(5));
        await Eventually.TrueAsync(() => source.IsCancellationRequested, Seconds(60));
    }

    private static TimeSpan Seconds(int count) => TimeSpan.FromSeconds(count);
}
