using Cluster.Pile.Snapshots;
using Cluster.Testing;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>Snapshots again and again: by the clock, after failures, and early.</summary>
public sealed class SaveEveryTests
{
    private static readonly TimeSpan Interval = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan WaitMax = TimeSpan.FromSeconds(60);

    private readonly ManualTimeProvider _clock = new();

    [Fact]
    public void Interval_WhenOver_SavesOnce_AndTheNextOneAgain_UntilDisposed()
    {
        using var folder = new SnapshotDirectory();
        using var pile = new LocalPile(Piles.Options(_clock, TimeSpan.Zero));
        var saving = Assert.IsType<SnapshotSchedule>(pile.SaveEvery(folder.Path, Interval));
        Assert.Empty(folder.Names);
        for (var round = 1; round <= 3; round++)
        {
            _clock.Advance(Interval);
            WaitFor(() => pile.Context.Snapshots.Done == round && !saving.IsSaving);
        }

        saving.Dispose();
        saving.Dispose();
        _clock.Advance(Interval * 3);
        Assert.Equal(3, pile.Context.Snapshots.Done);
        Assert.Contains("snapshot-0000000003.manifest", folder.Names);
    }

    [Fact]
    public async Task Failure_IsReportedOnce_AndTheNextIntervalTriesAgain()
    {
        using var folder = new SnapshotDirectory();
        var failures = new ConcurrentQueue<Exception>();
        var options = Piles.Options(_clock, TimeSpan.Zero);
        options.Files = new FaultyFiles(DeviceFault.Error, 3);
        using var pile = new LocalPile(options);
        var saving = pile.SaveEvery(folder.Path, Interval, failures.Enqueue);
        _clock.Advance(Interval);
        WaitFor(() => pile.Context.Snapshots.Failures == 1 && !failures.IsEmpty);
        WaitFor(() =>
        {
            _clock.Advance(Interval);
            return pile.Context.Snapshots.Done > 0;
        });
        Assert.Equal(PileSnapshotProblem.Device, Assert.IsType<PileSnapshotException>(Assert.Single(failures)).Problem);
        saving.Dispose();
        await pile.SaveAsync(folder.Path);
    }

    [Fact]
    public async Task Slot_ReusedTooOften_ForcesAnEarlySave()
    {
        using var folder = new SnapshotDirectory();
        var options = Piles.Options(_clock, TimeSpan.Zero);
        options.SnapshotReuseMargin = 1 << 14;
        using var pile = new LocalPile(options);
        var saving = pile.SaveEvery(folder.Path, Interval);

        // Large objects have a piece of memory for themselves, which is used again at once.
        var payload = Piles.Payload(1, 200_000);
        for (var i = 0; i < 8_000 && pile.Context.Snapshots.Done == 0; i++)
            pile.Delete(pile.Put(payload));
        var few = pile.Context.Snapshots.Done;
        for (var i = 0; i < 60_000 && pile.Context.Snapshots.Done == 0; i++)
            pile.Delete(pile.Put(payload));
        WaitFor(() => pile.Context.Snapshots.Done > 0);
        Assert.Equal(0, few);
        using var restored = await folder.RestoreAsync();
        Assert.InRange(restored.GetStatistics().Objects, 0, 1);
        saving.Dispose();
        await pile.SaveAsync(folder.Path);
    }

    [Fact]
    public void Arguments_ThatAreWrong_AreRefused()
    {
        using var pile = Piles.Create();
        Assert.Throws<ArgumentOutOfRangeException>(() => pile.SaveEvery("folder", TimeSpan.Zero));
        Assert.Throws<ArgumentException>(() => pile.SaveEvery("", Interval));
        var refused = Assert.Throws<ArgumentException>(
            () => new LocalPile(new PileOptions { SnapshotReuseMargin = 1, SnapshotLogBytes = -1 }));
        Assert.Contains(nameof(PileOptions.SnapshotReuseMargin), refused.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(PileOptions.SnapshotLogBytes), refused.Message, StringComparison.Ordinal);
    }

    private static void WaitFor(Func<bool> condition) =>
        Assert.True(SpinWait.SpinUntil(condition, WaitMax), "It happens within a minute.");
}
