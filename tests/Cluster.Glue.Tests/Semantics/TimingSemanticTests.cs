using Cluster.Contracts;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Semantics;

/// <summary>Cancellation, deadlines and one-way calls. Acceptance cases 29 to 36, 39 and 40.</summary>
public abstract class TimingSemanticTests : SemanticTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(10);

    [Fact]
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
        ITiming timing = Proxy<ITiming>();
        using (GlueCall.WithDeadline(TimeSpan.FromMilliseconds(200)))
        {
            var exception = await Assert.ThrowsAsync<GlueException>(
                () => timing.WaitForCancellationAsync(CancellationToken.None));
            Assert.Equal(GlueErrorKind.Deadline, exception.Kind);
        }

        Assert.True(await Seen.CancellationSeen.WaitAsync(Bound));
    }

    [Fact]
    public async Task Deadline_WithoutTokenParameter_ReleasesTheCaller()
    {
        ITiming timing = Proxy<ITiming>();
        using (GlueCall.WithDeadline(TimeSpan.FromMilliseconds(200)))
        {
            var exception = await Assert.ThrowsAsync<GlueException>(() => timing.WaitForeverAsync());
            Assert.Equal(GlueErrorCode.DeadlineAwaitingReply, exception.Code);
            Assert.Equal(GlueDelivery.Unknown, exception.Delivery);
            Assert.Contains("WaitForeverAsync", exception.Message, StringComparison.Ordinal);
        }

        Assert.Equal(4, await Proxy<IShapes>().TwiceAsync(2));
    }

    [Fact]
    public async Task Deadline_ShrinksAlongAChain()
    {
        Server.Services.GetRequiredService<Downstream>().Proxy = Proxy<ITiming>();
        using (GlueCall.WithDeadline(TimeSpan.FromSeconds(5)))
        {
            TimeSpan remaining = await Proxy<ITiming>().RemainingDownstreamAsync();
            Assert.InRange(remaining, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(5));
        }

        Assert.InRange(await Proxy<ITiming>().RemainingAsync(), TimeSpan.FromSeconds(5), TimeSpan.FromSeconds(10));
    }

    [Fact]
    public async Task OneWay_RunsOnTheServer()
    {
        ITiming timing = Proxy<ITiming>();
        await timing.NoteAsync("first");
        timing.NoteNow("second");
        await Eventually.TrueAsync(() => Seen.Notes.Count == 2, Bound);
        Assert.Equal(["first", "second"], Seen.Notes.Order());
    }

    [Fact]
    public async Task OneWay_ThatFailsOnTheServer_DoesNotReachTheCaller()
    {
        await Proxy<ITiming>().FailSilentlyAsync();
        Assert.Equal(4, await Proxy<IShapes>().TwiceAsync(2));
    }

    [Fact]
    public async Task CancellationRacingTheReply_EndsEachCallOnce()
    {
        IShapes shapes = Proxy<IShapes>();
        for (int i = 0; i < 300; i++)
        {
            using var source = new CancellationTokenSource();
            Task<string> call = shapes.TokenFirstAsync(source.Token, "x");
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
