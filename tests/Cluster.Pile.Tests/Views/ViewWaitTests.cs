using Cluster.Testing;

namespace Cluster.Pile.Tests.Views;

/// <summary>Threads that wait for each other's views, by a clock that only the test moves. Its timers tell when a
/// thread waits.</summary>
public sealed class ViewWaitTests
{
    private static readonly TimeSpan PinWait = TimeSpan.FromMinutes(3);

    private readonly ManualTimeProvider _clock = new();

    [Theory]
    [InlineData("update")]
    [InlineData("delete")]
    [InlineData("purge")]
    public async Task Change_UnderAView_GoesOnWhenItIsDisposed(string change)
    {
        using var pile = Piles.Create(_clock, PinWait);
        var pointer = pile.Put("old"u8);
        using var holder = new ViewHolder(pile, pointer, views: 2);
        var waiting = Start(pile, pointer, change);
        await _clock.WaitForTimersAsync();
        _clock.Advance(PinWait - TimeSpan.FromTicks(1));
        Assert.Equal("old"u8.ToArray(), pile.GetBytes(pointer));
        Assert.False(waiting.IsCompleted);

        holder.Dispose();
        await waiting.WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Equal(change == "update", pile.IsLive(pointer));
        Assert.Equal(0, _clock.ArmedTimerCount);
    }

    [Theory]
    [InlineData("update")]
    [InlineData("delete")]
    [InlineData("purge")]
    public async Task Change_UnderAViewForAllOfPinWait_ThrowsAndChangesNothing(string change)
    {
        using var pile = Piles.Create(_clock, PinWait);
        var pointer = pile.Put("old"u8);
        using var holder = new ViewHolder(pile, pointer, views: 1);
        var waiting = Start(pile, pointer, change);
        await _clock.WaitForTimersAsync();
        _clock.Advance(PinWait - TimeSpan.FromTicks(1));
        Assert.False(waiting.IsCompleted);
        _clock.Advance(TimeSpan.FromTicks(1));
        var error = await Assert.ThrowsAsync<PileBusyException>(() => waiting.WaitAsync(TimeSpan.FromMinutes(1)));
        Assert.Equal(change == "purge" ? default : pointer, error.Pointer);
        Assert.Contains(nameof(PileOptions.PinWait), error.Message, StringComparison.Ordinal);
        Assert.Equal("old"u8.ToArray(), pile.GetBytes(pointer));

        holder.Dispose();
        pile.Put(pointer, "new"u8);
        Assert.True(pile.Delete(pointer));
        PileChecks.AllSlotsAreFree(pile);
    }

    [Fact]
    public void Change_WithoutPinWait_ThrowsWithoutWaiting()
    {
        using var pile = Piles.Create(_clock, TimeSpan.Zero);
        var pointer = pile.Put("old"u8);
        using var holder = new ViewHolder(pile, pointer, views: 1);
        Assert.Throws<PileBusyException>(() => pile.Put(pointer, "new"u8));
        Assert.Throws<PileBusyException>(() => pile.Delete(pointer));
        Assert.Throws<PileBusyException>(pile.Purge);
        Assert.Equal("old"u8.ToArray(), pile.GetBytes(pointer));
    }

    [Fact]
    public async Task Wait_ThroughOneViewAfterTheOther_IsOneWait()
    {
        using var pile = Piles.Create(_clock, PinWait);
        var pointer = pile.Put("old"u8);
        var first = new ViewHolder(pile, pointer, views: 1);
        var waiting = Start(pile, pointer, "update");
        await _clock.WaitForTimersAsync();
        _clock.Advance(PinWait / 2);
        using var second = new ViewHolder(pile, pointer, views: 1);
        first.Dispose();
        Assert.False(waiting.IsCompleted);
        _clock.Advance(PinWait / 2);
        await Assert.ThrowsAsync<PileBusyException>(() => waiting.WaitAsync(TimeSpan.FromMinutes(1)));
    }

    [Fact]
    public async Task Waiting_LetsOthersPurgeRelieveAndChange()
    {
        using var pile = Piles.Create(_clock, PinWait);
        var pointer = pile.Put("old"u8);
        var other = pile.Put("other"u8);
        using var holder = new ViewHolder(pile, pointer, views: 1);
        var waiting = Start(pile, pointer, "update");
        await _clock.WaitForTimersAsync();

        // Reclaiming waits for all running operations; a thread that waits for a view must not be in one.
        for (var i = 0; i < 10; i++)
        {
            pile.Put(other, new byte[20_000_000]);
            pile.Put(other, new byte[10]);
        }

        holder.Dispose();
        await waiting.WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Equal("new"u8.ToArray(), pile.GetBytes(pointer));
    }

    [Fact]
    public async Task Dispose_UnderWaitersAndViews_EndsTheWaitsAndReportsTheViews()
    {
        var reports = new List<PileViewOrigin>();
        var options = Piles.Options(_clock, PinWait);
        options.ViewAbandoned = reports.Add;
        var pile = new LocalPile(options);
        var pointer = pile.Put("old"u8);
        using var holder = new ViewHolder(pile, pointer, views: 2);
        Task[] waiting = [Start(pile, pointer, "update"), Start(pile, pointer, "delete"), Start(pile, pointer, "purge")];
        await _clock.WaitForTimersAsync(3);
        pile.Dispose();
        foreach (var wait in waiting)
            await Assert.ThrowsAsync<ObjectDisposedException>(() => wait.WaitAsync(TimeSpan.FromMinutes(1)));
        Assert.Equal(2, reports.Count);
        Assert.All(reports, origin => Assert.Equal(pointer, origin.Pointer));
        Assert.All(reports, origin => Assert.Equal($"{nameof(ViewHolder)}.cs", Path.GetFileName(origin.File)));
        Assert.All(reports, origin => Assert.True(origin.Line > 0));

        // The holder disposes its views now, which must not touch the memory any more.
        pile.Dispose();
        using var next = new LocalPile(Piles.Options(_clock, PinWait));
        var fresh = next.Put("new"u8);
        holder.Dispose();
        Assert.Equal("new"u8.ToArray(), next.GetBytes(fresh));
        Assert.Equal(2, reports.Count);
    }

    [Fact]
    public void SpanKeptPastItsPile_ReadsWithoutFault()
    {
        var reports = new List<PileViewOrigin>();
        var options = Piles.Options(_clock, PinWait);
        options.ViewAbandoned = reports.Add;
        var pile = new LocalPile(options);
        var view = pile.OpenView(pile.Put(Piles.Payload(1, 1_000_000)));
        pile.Dispose();
        Assert.Single(reports);
        Assert.Equal(-1, view.Span.IndexOfAnyExcept((byte)0));
        view.Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void ViewOfAThreadThatEnded_IsReportedAndClosedByWhoMeetsIt(bool purge)
    {
        var reports = new List<PileViewOrigin>();
        var options = Piles.Options(_clock, PinWait);
        options.ViewAbandoned = reports.Add;
        using var pile = new LocalPile(options);
        var pointer = pile.Put("old"u8);
        RunThread(() => pile.OpenView(pointer));
        RunThread(() => pile.OpenView(pointer));
        Assert.Equal(2, pile.GetStatistics().OpenViews);
        Assert.Equal("old"u8.ToArray(), pile.GetBytes(pointer));

        // From a thread that might take over what the dead one left, and would take the view for its own.
        RunThread(() =>
        {
            if (purge)
                pile.Purge();
            else
                pile.Put(pointer, "new"u8);
        });
        Assert.Equal(0, pile.GetStatistics().OpenViews);
        Assert.Equal(2, reports.Count);
        Assert.All(reports, origin => Assert.Equal(pointer, origin.Pointer));
        Assert.Equal(!purge, pile.IsLive(pointer));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(20_000)]
    public void ObjectAtTheEndOfItsLife_UnderAView_StaysUntilTheViewIsDisposed(int grownTo)
    {
        using var pile = Piles.Create(_clock, PinWait);
        var pointer = pile.Put(Piles.Payload(1, 100), new PutHints { TimeToLive = TimeSpan.FromMinutes(1) });
        var length = Math.Max(100, grownTo);
        if (grownTo > 0)
            pile.Put(pointer, Piles.Payload(1, grownTo));
        using (var view = pile.OpenView(pointer))
        {
            for (var i = 0; i < 5; i++)
                _clock.Advance(TimeSpan.FromMinutes(1));
            for (var i = 0; i < 1000; i++)
                Assert.True(pile.Delete(pile.Put(new byte[length])));
            Assert.Equal(length, view.Length);
            Assert.True(Piles.IsPayload(view.Span, 1));
            Assert.Equal(1, pile.GetStatistics().Objects);
            Assert.False(pile.IsLive(pointer));
            Assert.Throws<InvalidPilePointerException>(() => pile.OpenView(pointer).Dispose());
        }

        Assert.Equal(0, pile.GetStatistics().OpenViews);
        for (var i = 0; i < 5; i++)
            _clock.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(0, pile.GetStatistics().Objects);
        PileChecks.AllSlotsAreFree(pile);
    }

    private static Task Start(LocalPile pile, PilePointer pointer, string change) =>
        Task.Factory.StartNew(
            () =>
            {
                if (change == "update")
                    pile.Put(pointer, "new"u8);
                else if (change == "delete")
                    Assert.True(pile.Delete(pointer));
                else
                    pile.Purge();
            },
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);

    private static void RunThread(Action action)
    {
        Exception? failure = null;
        var thread = new Thread(() =>
        {
            try
            {
                action();
            }
            catch (Exception e)
            {
                failure = e;
            }
        });
        thread.Start();
        Assert.True(thread.Join(TimeSpan.FromMinutes(1)), "A thread hangs.");
        Assert.Null(failure);
    }
}
