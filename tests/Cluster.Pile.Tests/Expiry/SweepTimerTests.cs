using Cluster.Pile.Caching;
using Cluster.Pile.Expiry;
using Cluster.Testing;

namespace Cluster.Pile.Tests.Expiry;

/// <summary>The one timer of a pile, for objects and for records.</summary>
public sealed class SweepTimerTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly ManualTimeProvider _time = new();

    [Fact]
    public void ObjectsAndRecords_OfOnePile_HaveOneTimer()
    {
        using var pile = new LocalPile(
            new PileOptions { BudgetBytes = PileOptions.MinBudgetBytes, TimeProvider = _time });
        var table = new PileCache(pile).GetOrCreateTable<int, string>("table");
        table.Put(1, "record", maxAge: TimeSpan.FromHours(1));
        pile.Put("object", new PutHints { TimeToLive = TimeSpan.FromMinutes(1) });
        Assert.Equal(1, _time.ArmedTimerCount);
        Assert.Equal(TimeSpan.FromMinutes(1), _time.UntilNextTimer);

        _time.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(0, pile.GetStatistics().Objects);
        Assert.Equal(1, _time.ArmedTimerCount);

        // The window of the record's deadline is at most a quarter of its life long.
        _time.Advance(TimeSpan.FromMinutes(75));
        Assert.Equal(0, table.GetStatistics().Entries);
        Assert.Null(_time.UntilNextTimer);
    }

    [Fact]
    public async Task SweepThatLasts_DelaysNoOtherSweep()
    {
        using var timer = new SweepTimer(_time);
        using var started = new SemaphoreSlim(0);
        using var end = new ManualResetEventSlim();
        var runs = 0;
        var lasting = new TimedSweep(timer, DeadlineSteps.OfRecords, () =>
        {
            started.Release();
            Assert.True(end.Wait(Bound));
        });
        var other = new TimedSweep(timer, DeadlineSteps.OfObjects, () => runs++);
        lasting.RunIn(Second);
        other.RunIn(2 * Second);

        var first = Task.Run(() => _time.Advance(Second));
        Assert.True(await started.WaitAsync(Bound));
        _time.Advance(Second);
        Assert.Equal(1, runs);
        end.Set();
        await first.WaitAsync(Bound);
        Assert.Null(_time.UntilNextTimer);
    }

    [Fact]
    public void SweepsThatAreDueTogether_AllRun()
    {
        using var timer = new SweepTimer(_time);
        var runs = new List<int>();
        foreach (var number in new[] { 1, 2 })
            new TimedSweep(timer, DeadlineSteps.OfObjects, () => runs.Add(number)).RunIn(Second);
        _time.Advance(Second);
        Assert.Equal([1, 2], runs);
    }

    [Fact]
    public void EarlierSweep_IsNotPutOffByALaterOne()
    {
        using var timer = new SweepTimer(_time);
        var runs = new List<string>();
        var early = new TimedSweep(timer, DeadlineSteps.OfObjects, () => runs.Add("early"));
        var late = new TimedSweep(timer, DeadlineSteps.OfRecords, () => runs.Add("late"));
        late.RunIn(3 * Second);
        early.RunIn(2 * Second);
        early.RunIn(5 * Second);
        Assert.Equal(2 * Second, _time.UntilNextTimer);
        _time.Advance(2 * Second);
        Assert.Equal(Second, _time.UntilNextTimer);
        _time.Advance(Second);
        Assert.Equal(["early", "late"], runs);
        Assert.Null(_time.UntilNextTimer);
    }

    /// <summary>Deadlines of objects wrap around: the far one must not look like a past one.</summary>
    [Fact]
    public void NearDeadline_AfterTheFarthest_ComesFirst()
    {
        using var timer = new SweepTimer(_time);
        var sweep = new TimedSweep(timer, DeadlineSteps.OfObjects, () => { });
        var clock = new DeadlineClock(_time, DeadlineSteps.OfObjects, firstTicks: 0);
        sweep.RunAt(clock.DeadlineAfter(PutHints.MaxTimeToLive), clock.Now);
        Assert.Equal(TimeSpan.FromDays(30), _time.UntilNextTimer);
        sweep.RunAt(clock.DeadlineAfter(10 * Second), clock.Now);
        Assert.Equal(10 * Second, _time.UntilNextTimer);
    }
}
