using System.Diagnostics.Metrics;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Semantics;

/// <summary>Cancellation, deadlines and one-way calls. Acceptance cases 29 to 36, 39 and 40.</summary>
public abstract class TimingSemanticTests(SemanticBinding binding) : SemanticTests(binding)
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(200);

    private readonly ManualTimeProvider _time = new();

    /// <summary>Stands still: what happens in time happens however long it takes.</summary>
    protected override TimeProvider Time => _time;

    [Fact]
    public async Task Service_DoesNotRunInTheContextOfItsCaller_WhoKeepsIt()
    {
        var timing = Proxy<ITiming>();
        var outer = SynchronizationContext.Current;
        var own = new SynchronizationContext();
        SynchronizationContext.SetSynchronizationContext(own);
        var call = timing.HasSynchronizationContextAsync();
        var left = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(outer);
        Assert.Same(own, left);
        Assert.False(await call);
    }

    [Fact]
    [Trait("Case", "glue-29")]
    public async Task CancelledBeforehand_SendsNothing()
    {
        using var source = new CancellationTokenSource();
        await source.CancelAsync();
        var exception = await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => Proxy<ITiming>().WaitForCancellationAsync(source.Token));
        Assert.Equal(source.Token, exception.CancellationToken);
        Assert.Equal(0, Seen.Started.CurrentCount);
    }

    [Fact]
    [Trait("Case", "glue-30")]
    public async Task CancelWhileWaiting_ReachesTheServer_AndReleasesTheCaller()
    {
        using var source = new CancellationTokenSource();
        Task call = Proxy<ITiming>().WaitForCancellationAsync(source.Token);
        Assert.True(await Seen.Started.WaitAsync(Bound));
        await source.CancelAsync();
        var exception = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
        Assert.Equal(source.Token, exception.CancellationToken);
        Assert.True(await Seen.CancellationSeen.WaitAsync(Bound));
        Assert.Equal(4, await Proxy<IShapes>().TwiceAsync(2));
    }

    [Fact]
    public async Task Deadline_ReleasesTheCaller_AndCancelsTheServer()
    {
        var timing = Proxy<ITiming>();
        await ConnectAsync();
        using (GlueCall.WithDeadline(Short))
        {
            Task call = timing.WaitForCancellationAsync(CancellationToken.None);
            var exception = await CheckEndsAtItsDeadlineAsync(call);
            Assert.Equal(GlueErrorKind.Deadline, exception.Kind);
        }

        Assert.True(await Seen.CancellationSeen.WaitAsync(Bound));
    }

    [Fact]
    public async Task MaxDeadline_CutsTheDeadlinesOfTheProxy_AndExtendsNone()
    {
        var timing = Proxy<ITiming>(new GlueProxyOptions { MaxDeadline = Short });
        await ConnectAsync();
        var exception = await CheckEndsAtItsDeadlineAsync(timing.WaitForCancellationAsync(CancellationToken.None));
        Assert.Equal(GlueErrorKind.Deadline, exception.Kind);
        using (GlueCall.WithDeadline(2 * Short))
            await CheckEndsAtItsDeadlineAsync(timing.WaitForCancellationAsync(CancellationToken.None));

        var patient = Proxy<ITiming>(new GlueProxyOptions { MaxDeadline = 2 * Short });
        using (GlueCall.WithDeadline(Short))
            await CheckEndsAtItsDeadlineAsync(patient.WaitForCancellationAsync(CancellationToken.None));
        Assert.Throws<ArgumentException>(() => Proxy<ITiming>(new GlueProxyOptions { MaxDeadline = TimeSpan.Zero }));
    }

    [Fact]
    [Trait("Case", "glue-35")]
    public async Task Deadlines_OfCallsThatOverlap_PassOneAfterTheOther_OnBothSides()
    {
        var timing = Proxy<ITiming>();
        var calls = new Task[3];
        foreach (var times in (int[])[3, 1, 2])
        {
            using (GlueCall.WithDeadline(times * Short))
                calls[times - 1] = timing.WaitForCancellationAsync(CancellationToken.None);
            Assert.True(await Seen.Started.WaitAsync(Bound));
        }

        for (var i = 0; i < calls.Length; i++)
        {
            Assert.DoesNotContain(calls[i..], static call => call.IsCompleted);
            _time.Advance(Short);
            _time.Advance(GlueLimits.TickInterval + TimeSpan.FromMilliseconds(1));
            var exception = await Assert.ThrowsAsync<GlueException>(() => calls[i].WaitAsync(Bound));
            Assert.Equal(GlueErrorKind.Deadline, exception.Kind);
            Assert.True(await Seen.CancellationSeen.WaitAsync(Bound));
        }
    }

    [Fact]
    [Trait("Case", "glue-34")]
    public async Task Deadline_WithoutTokenParameter_ReleasesTheCaller_AndTheLateReplyIsIgnoredAndCounted()
    {
        using var counts = new MeasuredCounts(Server.Services.GetRequiredService<IMeterFactory>());
        var timing = Proxy<ITiming>();
        await ConnectAsync();
        using (GlueCall.WithDeadline(Short))
        {
            var exception = await CheckEndsAtItsDeadlineAsync(timing.WaitForeverAsync());
            Assert.Equal(GlueErrorCode.DeadlineAwaitingReply, exception.Code);
            Assert.Equal(GlueDelivery.Unknown, exception.Delivery);
            Assert.Contains("WaitForeverAsync", exception.Message, StringComparison.Ordinal);
        }

        Assert.Equal(0, counts["cluster.glue.replies.late"]);
        // The server ran on all the time.
        Seen.End.SetResult();
        await Eventually.TrueAsync(() => counts["cluster.glue.replies.late"] == 1, Bound);
        Assert.Equal(4, await Proxy<IShapes>().TwiceAsync(2));
    }

    [Fact]
    [Trait("Case", "glue-36")]
    public async Task Deadline_ShrinksAlongAChain()
    {
        var downstream = Server.Services.GetRequiredService<Downstream>();
        downstream.Proxy = Proxy<ITiming>();
        downstream.Before = () => _time.Advance(TimeSpan.FromSeconds(1));
        var timing = Proxy<ITiming>();
        using (GlueCall.WithDeadline(TimeSpan.FromSeconds(5)))
            await RemainingTimes.CheckAsync(TimeSpan.FromSeconds(4), timing.RemainingDownstreamAsync, Binding.Kind);

        await RemainingTimes.CheckAsync(DefaultDeadline, timing.RemainingAsync, Binding.Kind);
    }

    // Unary requests have a deadline of gRPC as well, which counts by the system's clock: connecting is not to use it up.
    private async Task ConnectAsync() => Assert.Equal(4, await Proxy<IShapes>().TwiceAsync(2));

    private async Task<GlueException> CheckEndsAtItsDeadlineAsync(Task call)
    {
        Assert.True(await Seen.Started.WaitAsync(Bound));
        _time.Advance(Short - TimeSpan.FromMilliseconds(1));
        Assert.False(call.IsCompleted);

        // A link looks for calls whose time is over once per tick.
        _time.Advance(GlueLimits.TickInterval + TimeSpan.FromMilliseconds(1));
        return await Assert.ThrowsAsync<GlueException>(() => call.WaitAsync(Bound));
    }

    [Fact]
    public async Task OneWay_RunsOnTheServer()
    {
        var timing = Proxy<ITiming>();
        await timing.NoteAsync("first");
        timing.NoteNow("second");
        await Eventually.TrueAsync(() => Seen.Notes.Count == 2, Bound);
        Assert.Equal(["first", "second"], Seen.Notes.Order());
    }

    [Fact]
    [Trait("Case", "glue-31")]
    public async Task CancellationRacingTheReply_EndsEachCallOnce()
    {
        var shapes = Proxy<IShapes>();
        for (var i = 0; i < 300; i++)
        {
            using var source = new CancellationTokenSource();
            var call = shapes.TokenFirstAsync(source.Token, "x");
            if (i % 3 == 0)
                await Task.Yield();
            await source.CancelAsync();
            try
            {
                Assert.Equal("Truex", await call);
            }
            catch (OperationCanceledException exception)
            {
                Assert.Equal(source.Token, exception.CancellationToken);
            }
        }

        Assert.Equal(4, await shapes.TwiceAsync(2));
    }
}
