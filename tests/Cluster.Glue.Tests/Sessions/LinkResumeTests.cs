using Cluster.Glue.Resilience;
using Cluster.Glue.Tests.Semantics;
using Cluster.Testing;
using Cluster.Testing.Glue;
using Microsoft.Extensions.DependencyInjection;
using Xunit.Abstractions;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>A link outlives its streams: what was under way when one was cut goes on, and nothing runs twice.
/// Acceptance cases 37, 77 to 80 and 82.</summary>
[WithCanaryArrays]
public sealed class LinkResumeTests(ITestOutputHelper output) : DisturbedLinkTests
{
    [Fact]
    [Trait("Case", "glue-77")]
    public async Task Calls_CutAtAnyFrame_RunOnce()
    {
        var counter = Proxy<ISharedCounter>();
        var expected = 0;
        for (var round = 0; round < 60; round++)
        {
            Assert.Equal(++expected, await counter.NextAsync());
            var direction = round % 2 == 0 ? FrameDirection.ToServer : FrameDirection.ToClient;
            Faults.CutAt(1 + (round / 4 % 4), direction, isDelivered: round / 2 % 2 == 0);
            var results = await Task.WhenAll(Enumerable.Range(0, 5).Select(_ => counter.NextAsync())).WaitAsync(Bound);
            Assert.Equal(Enumerable.Range(expected + 1, 5), results.Order());
            expected += 5;
        }

        output.WriteLine($"{Faults.StreamCount} streams carried {expected} calls, seed {Faults.Seed}");
        Assert.True(Faults.StreamCount > 20);
    }

    [Theory]
    [InlineData(30)]
    [Trait("Case", "glue-80")]
    public Task Load_ThroughCutsAndRestores_LosesAndDoublesNothing(int cuts) => RunThroughCutsAsync(cuts);

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Case", "glue-80")]
    public Task Load_ThroughAThousandCutsAndRestores_LosesAndDoublesNothing() => RunThroughCutsAsync(1000);

    [Fact]
    public async Task RepeatedFrames_AreHandledOnce()
    {
        var counter = Proxy<ISharedCounter>();
        Assert.Equal(1, await counter.NextAsync());
        Faults.Repeat(1);
        for (var expected = 2; expected <= 50; expected++)
            Assert.Equal(expected, await counter.NextAsync().WaitAsync(Bound));
    }

    [Fact]
    public async Task LostFrames_AreSentAgain()
    {
        var counter = Proxy<ISharedCounter>();
        Assert.Equal(1, await counter.NextAsync());
        Faults.Drop(0.1);
        var results = await Task.WhenAll(Enumerable.Range(0, 50).Select(_ => counter.NextAsync())).WaitAsync(Bound);
        Assert.Equal(Enumerable.Range(2, 50), results.Order());
    }

    [Fact]
    [Trait("Case", "glue-79")]
    public async Task HalfOpenLink_IsNoticedByItsSilence_AndResumed()
    {
        var counter = Proxy<ISharedCounter>();
        Assert.Equal(1, await counter.NextAsync());
        Faults.Drop(1, FrameDirection.ToClient);
        var call = counter.NextAsync();
        await Eventually.TrueAsync(() => Faults.StreamCount > 2, Bound);
        Assert.False(call.IsCompleted);
        // No stream sees both: a gap in it is another fault.
        Faults.IsDown = true;
        Faults.Cut();
        Faults.Heal();
        Assert.Equal(2, await call.WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "glue-37")]
    [Trait("Case", "glue-82")]
    public async Task LossThatOutlastsTheWindow_FailsCalls_AndCancelsThemOnTheServer()
    {
        var time = new ManualTimeProvider();
        await using var host = await GlueHost.StartAsync(options => options.TimeProvider = time);
        await using var client = Connect(options => options.ResumeWindow = TimeSpan.FromMilliseconds(200));
        var timing = client.CreateProxy<ITiming>(host.Address);
        var seen = host.Services.GetRequiredService<Observations>();
        using var never = new CancellationTokenSource();
        var call = timing.WaitForCancellationAsync(never.Token);
        Assert.True(await seen.Started.WaitAsync(Bound));
        Faults.IsDown = true;
        Faults.Cut();
        var lost = await Assert.ThrowsAsync<GlueException>(() => call.WaitAsync(Bound));
        Assert.Equal((GlueErrorKind.Broken, GlueDelivery.Unknown), (lost.Kind, lost.Delivery));
        Assert.Contains("ResumeWindow", lost.Message, StringComparison.Ordinal);
        // The server notices by the silence.
        await Eventually.TrueAsync(
            () =>
            {
                time.Advance(GlueLimits.HeartbeatInterval / 10);
                return seen.CancellationSeen.Wait(0);
            },
            Bound);
    }

    [Fact]
    [Trait("Case", "glue-37")]
    public async Task LossThatIsMendedInTime_CancelsNothing()
    {
        var timing = Proxy<ITiming>();
        using var stop = new CancellationTokenSource();
        var call = timing.WaitForCancellationAsync(stop.Token);
        Assert.True(await Seen.Started.WaitAsync(Bound));
        Faults.Cut();
        Assert.Equal(2, await Proxy<IShapes>().TwiceAsync(1).WaitAsync(Bound));
        Assert.Equal(0, Seen.Cancellations);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.WaitAsync(Bound));
        Assert.True(await Seen.CancellationSeen.WaitAsync(Bound));
    }

    [Fact]
    public async Task CallDuringALoss_IsSentWhenItIsMended_OrNotDelivered()
    {
        var counter = Proxy<ISharedCounter>();
        Assert.Equal(1, await counter.NextAsync());
        Faults.IsDown = true;
        Faults.Cut();
        var patient = counter.NextAsync();
        // Until the loss is noticed, calls are under way over the old stream.
        var shapes = Proxy<IShapes>();
        using (GlueCall.WithDeadline(TimeSpan.FromMilliseconds(50)))
        {
            await Eventually.TrueAsync(
                async () => (await Assert.ThrowsAsync<GlueException>(() => shapes.TwiceAsync(1))).Delivery
                    == GlueDelivery.NotDelivered,
                Bound);
        }

        Faults.IsDown = false;
        Assert.Equal(2, await patient.WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "glue-33")]
    public async Task Cancellation_OfACallThatIsHeldUp_IsHonoured()
    {
        var timing = Proxy<ITiming>();
        var counter = Proxy<ISharedCounter>();
        Assert.Equal(1, await counter.NextAsync());
        Assert.Empty(await timing.NotesAsync());
        Faults.Hold(CallsStream);
        using var stop = new CancellationTokenSource();
        var call = timing.WaitForCancellationAsync(stop.Token);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.WaitAsync(Bound));
        Faults.Release(CallsStream);
        Assert.Equal(2, await counter.NextAsync().WaitAsync(Bound));
        if (await Seen.Started.WaitAsync(0))
            Assert.True(await Seen.CancellationSeen.WaitAsync(Bound));
    }

    [Fact]
    public async Task StreamsThatHaveGrownOld_AreReplaced_WithoutACallNoticing()
    {
        await using var client = Connect(options => options.MaxLinkAge = TimeSpan.FromSeconds(1));
        var counter = client.CreateProxy<ISharedCounter>(Host.Address);
        var expected = 0;
        while (Faults.StreamCount < 6)
            Assert.Equal(++expected, await counter.NextAsync().WaitAsync(Bound));
        Assert.Equal(++expected, await counter.NextAsync().WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "glue-78")]
    public async Task NewServerProcessAtTheAddress_RefusesTheOldLink()
    {
        var address = $"http://127.0.0.1:{FreePorts.Next()}";
        var timing = Client.CreateProxy<ITiming>(address);
        var call = await LoseServerInACallAsync(timing, address);
        await using var second = await GlueHost.StartAsync(options => options.ListenAddress = address);
        Faults.IsDown = false;
        var lost = await Assert.ThrowsAsync<GlueException>(() => call.WaitAsync(Bound));
        Assert.Equal(GlueDelivery.Unknown, lost.Delivery);
        Assert.Empty(await timing.NotesAsync().WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "glue-78")]
    public async Task NewServerProcessAtTheAddress_AnswersTheIdempotentCallsOfTheOldOne()
    {
        var address = $"http://127.0.0.1:{FreePorts.Next()}";
        var timing = Client.CreateProxy<ITiming>(
            address, new GlueProxyOptions { Resilience = new GlueResilienceOptions { IsIdempotent = _ => true } });
        var call = await LoseServerInACallAsync(timing, address);
        await using var second = await GlueHost.StartAsync(options => options.ListenAddress = address);
        Faults.IsDown = false;
        var seen = second.Services.GetRequiredService<Observations>();
        Assert.True(await seen.Started.WaitAsync(Bound));
        seen.End.SetResult();
        await call.WaitAsync(Bound);
    }

    /// <summary>Gives a call that was under way when its link was cut, and whose server has ended since.</summary>
    private async Task<Task> LoseServerInACallAsync(ITiming timing, string address)
    {
        var time = new ManualTimeProvider();
        var server = await GlueHost.StartAsync(options =>
        {
            options.ListenAddress = address;
            options.TimeProvider = time;
        });
        var seen = server.Services.GetRequiredService<Observations>();
        var call = timing.WaitForeverAsync();
        Assert.True(await seen.Started.WaitAsync(Bound));
        Faults.IsDown = true;
        Faults.Cut();
        seen.End.SetResult();
        // It waits for its peer, which does not come back.
        var ending = server.DisposeAsync().AsTask();
        await Eventually.TrueAsync(
            () =>
            {
                time.Advance(GlueLimits.LingerTime / 10);
                return ending.IsCompleted;
            },
            Bound);
        await ending;
        return call;
    }

    private async Task RunThroughCutsAsync(int cuts)
    {
        var counter = Proxy<ISharedCounter>();
        using var stop = new CancellationTokenSource();
        var callers = Enumerable.Range(0, 8).Select(_ => CallUntilAsync(counter, stop.Token)).ToArray();
        for (var cut = 0; cut < cuts; cut++)
        {
            var before = Faults.FrameCount;
            await Eventually.TrueAsync(() => Faults.FrameCount > before + 20, Bound);
            Faults.Cut();
        }

        await stop.CancelAsync();
        var results = await Task.WhenAll(callers).WaitAsync(Bound);
        var all = results.SelectMany(result => result).Order().ToArray();
        Assert.Equal(Enumerable.Range(1, all.Length), all);
        output.WriteLine($"{all.Length} calls through {cuts} cuts, {Faults.StreamCount} streams");
    }

    private static async Task<List<int>> CallUntilAsync(ISharedCounter counter, CancellationToken cancellationToken)
    {
        var results = new List<int>();
        while (!cancellationToken.IsCancellationRequested)
            results.Add(await counter.NextAsync());
        return results;
    }

    private protected override Task<GlueHost> StartHostAsync() =>
        GlueHost.StartAsync(options => options.HandshakeTimeout = TimeSpan.FromSeconds(1));

    private protected override void ConfigureClient(GlueClientOptions options) =>
        options.HeartbeatInterval = TimeSpan.FromMilliseconds(100);
}
