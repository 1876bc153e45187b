using Cluster.Pile.Expiry;
using Cluster.Pile.Tables.Eviction;
using Cluster.Testing;

namespace Cluster.Pile.Tests.Tables;

/// <summary>The one timer of a pile's tables: whatever asks for it, it is not forgotten.</summary>
public sealed class RecordMaintenanceTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    [Fact]
    public void MergeThatIsDueNow_IsNotPutOffByADeadlineFarAway()
    {
        var time = new ManualTimeProvider();
        var clock = new DeadlineClock(time, DeadlineSteps.OfRecords, time.GetUtcNow().Ticks);
        using var timer = new SweepTimer(time);
        var maintenance = new RecordMaintenance(clock, timer);
        maintenance.MergeSoon();
        maintenance.Watch(clock.DeadlineAfter(TimeSpan.FromHours(1)), clock.Now);
        Assert.Equal(TimeSpan.Zero, time.UntilNextTimer);
    }

    [Fact]
    public void EarlierDeadline_ComesFirst()
    {
        var time = new ManualTimeProvider();
        var clock = new DeadlineClock(time, DeadlineSteps.OfRecords, time.GetUtcNow().Ticks);
        using var timer = new SweepTimer(time);
        var maintenance = new RecordMaintenance(clock, timer);
        maintenance.Watch(clock.DeadlineAfter(TimeSpan.FromHours(2)), clock.Now);
        maintenance.Watch(clock.DeadlineAfter(TimeSpan.FromHours(1)), clock.Now);
        maintenance.Watch(clock.DeadlineAfter(TimeSpan.FromHours(3)), clock.Now);
        Assert.Equal(TimeSpan.FromHours(1), time.UntilNextTimer);
    }

    [Fact]
    public async Task TimerThatFiresWhileASweepRuns_FiresAgain()
    {
        var time = new StallingTime();
        var clock = new DeadlineClock(time, DeadlineSteps.OfRecords, time.GetUtcNow().Ticks);
        using var timer = new SweepTimer(time);
        var maintenance = new RecordMaintenance(clock, timer);
        maintenance.MergeWhenQuiet();
        var sweep = Task.Run(() => time.StallWhileAdvancing(TimeSpan.FromSeconds(1)));
        Assert.True(await time.Stalled.WaitAsync(Bound));
        maintenance.Watch(clock.Now, clock.Now);
        time.Inner.Advance(TimeSpan.FromSeconds(1));
        Assert.NotNull(time.Inner.UntilNextTimer);
        time.GoOn.Set();
        await sweep.WaitAsync(Bound);
        Assert.NotNull(time.Inner.UntilNextTimer);
    }

    /// <summary>A clock that stands still for one thread, in the middle of what its timer has begun.</summary>
    private sealed class StallingTime : TimeProvider
    {
        private int _stallingThread;

        public ManualTimeProvider Inner { get; } = new();

        public SemaphoreSlim Stalled { get; } = new(0);

        public ManualResetEventSlim GoOn { get; } = new();

        public override long TimestampFrequency => Inner.TimestampFrequency;

        public override DateTimeOffset GetUtcNow() => Inner.GetUtcNow();

        public override long GetTimestamp()
        {
            if (Environment.CurrentManagedThreadId == Volatile.Read(ref _stallingThread))
            {
                Volatile.Write(ref _stallingThread, 0);
                Stalled.Release();
                Assert.True(GoOn.Wait(Bound));
            }

            return Inner.GetTimestamp();
        }

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
            Inner.CreateTimer(callback, state, dueTime, period);

        public void StallWhileAdvancing(TimeSpan span)
        {
            Volatile.Write(ref _stallingThread, Environment.CurrentManagedThreadId);
            Inner.Advance(span);
        }
    }
}
