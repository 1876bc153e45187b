using Cluster.Glue.Tests.Semantics;
using Cluster.Testing;
using Cluster.Testing.Glue;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>At which moment a link is lost, what becomes of its calls, and what is kept for how long.</summary>
[WithCanaryArrays]
public sealed class LinkLossTests : DisturbedLinkTests, IDisposable
{
    private const int LinkEndedId = 1004;
    private const int LinkRefusedId = 1005;
    private const int LinksRefusedId = 1013;

    private readonly LogRecorder _logs = new();

    // Of the servers that have to notice that their peer is silent.
    private readonly ManualTimeProvider _time = new();

    // A join that comes when its link has just ended is refused.
    public LinkLossTests() => _logs.Allow(LinkRefusedId, LinksRefusedId);

    public void Dispose() => _logs.Dispose();

    [Fact]
    [Trait("Case", "glue-77")]
    public async Task CutBeforeTheCallIsSent_ItRunsOnce()
    {
        var counter = Proxy<ISharedCounter>();
        Assert.Equal(1, await counter.NextAsync().WaitAsync(Bound));
        Faults.CutAt(1, FrameDirection.ToServer);
        Assert.Equal(2, await counter.NextAsync().WaitAsync(Bound));
        Assert.Equal(3, await counter.NextAsync().WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "glue-77")]
    public async Task CutWhileTheCallRuns_ItRunsOnce()
    {
        var timing = Proxy<ITiming>();
        var call = timing.WaitForeverAsync();
        Assert.True(await Seen.Started.WaitAsync(Bound));
        Faults.Cut();
        Seen.End.SetResult();
        await call.WaitAsync(Bound);
        Assert.Equal(0, Seen.Started.CurrentCount);
    }

    [Fact]
    [Trait("Case", "glue-77")]
    public async Task CutAfterTheCallHasRun_BeforeItsReplyIsRead_ItRunsOnce()
    {
        var counter = Proxy<ISharedCounter>();
        Assert.Equal(1, await counter.NextAsync().WaitAsync(Bound));
        Faults.CutAt(1, FrameDirection.ToClient);
        Assert.Equal(2, await counter.NextAsync().WaitAsync(Bound));
        Assert.Equal(3, await counter.NextAsync().WaitAsync(Bound));
    }

    // One is being sent when the stream is cut; others wait behind it.
    [Theory]
    [InlineData(1)]
    [InlineData(100)]
    [Trait("Case", "glue-77")]
    public async Task CutWhileOneWaysAreSent_TheyRunOnce_AlsoWhenTheirClientIsDisposed(int count)
    {
        // However long it takes to connect again.
        var time = new ManualTimeProvider();
        await using var client = Connect(options => options.TimeProvider = time);
        var timing = client.CreateProxy<ITiming>(Host.Address);
        Assert.Empty(await timing.NotesAsync().WaitAsync(Bound));
        Faults.Hold(CallsStream);
        var notes = Enumerable.Range(0, count).Select(i => $"note {i}").ToArray();
        foreach (var note in notes)
            await timing.NoteAsync(note).WaitAsync(Bound);
        Faults.CutAt(1, FrameDirection.ToServer);
        var disposal = client.DisposeAsync().AsTask();
        Faults.Release(CallsStream);
        await disposal.WaitAsync(Bound);
        await Eventually.TrueAsync(() => Seen.Notes.Count >= notes.Length, Bound);
        Assert.Equal(notes, Seen.Notes);
    }

    [Theory]
    [InlineData(GlueLostLinkCalls.Cancel)]
    [InlineData(GlueLostLinkCalls.RunOn)]
    [Trait("Case", "glue-37")]
    public async Task CallsOfALostLink_AreCancelledOrRunOn_AsTheServerSays(GlueLostLinkCalls mode)
    {
        await using var host = await StartHostAsync(options =>
        {
            options.LostLinkCalls = mode;
            options.TimeProvider = _time;
        });
        await using var client = Connect(options => options.ResumeWindow = TimeSpan.FromMilliseconds(100));
        var timing = client.CreateProxy<ITiming>(host.Address);
        var seen = host.Services.GetRequiredService<Observations>();
        using var never = new CancellationTokenSource();
        var call = timing.WaitForCancellationAsync(never.Token);
        Assert.True(await seen.Started.WaitAsync(Bound));
        Faults.IsDown = true;
        Faults.Cut();
        await EndLinkAsync(string.Empty);
        await Assert.ThrowsAsync<GlueException>(() => call.WaitAsync(Bound));
        if (mode == GlueLostLinkCalls.Cancel)
            Assert.True(await seen.CancellationSeen.WaitAsync(Bound));
        else
            Assert.Equal(0, seen.Cancellations);
    }

    [Fact]
    [Trait("Case", "glue-81")]
    public async Task FailedWrite_OfALinkThatIsNotResumed_FailsAllCallsOfTheBatch()
    {
        await using var client = Connect(options => options.ResumeWindow = TimeSpan.Zero);
        var counter = client.CreateProxy<ISharedCounter>(Host.Address);
        Assert.Equal(1, await counter.NextAsync().WaitAsync(Bound));
        Faults.Hold(HelloStream);
        var calls = Enumerable.Range(0, 100).Select(_ => counter.NextAsync()).ToArray();
        Faults.CutAt(1, FrameDirection.ToServer);
        Faults.Release(HelloStream);
        var losses = new HashSet<GlueException>(ReferenceEqualityComparer.Instance);
        foreach (var call in calls)
        {
            var lost = await Assert.ThrowsAsync<GlueException>(() => call.WaitAsync(Bound));
            Assert.Equal((GlueErrorKind.Broken, GlueDelivery.Unknown), (lost.Kind, lost.Delivery));
            Assert.True(losses.Add(lost), "Two calls failed with one exception object.");
        }

        Assert.Equal(2, await counter.NextAsync().WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "glue-81")]
    public async Task FailedWrite_OfALinkThatIsResumed_IsSentAgain()
    {
        var counter = Proxy<ISharedCounter>();
        Assert.Equal(1, await counter.NextAsync().WaitAsync(Bound));
        Faults.Hold(CallsStream);
        var calls = Enumerable.Range(0, 100).Select(_ => counter.NextAsync()).ToArray();
        Faults.CutAt(1, FrameDirection.ToServer);
        Faults.Release(CallsStream);
        Assert.Equal(Enumerable.Range(2, 100), (await Task.WhenAll(calls).WaitAsync(Bound)).Order());
    }

    [Fact]
    [Trait("Case", "glue-82")]
    public async Task RepliesThatNobodyFetches_AreKeptUpToTheBound_ThenTheLinkEnds()
    {
        await using var host = await StartHostAsync(
            options =>
            {
                options.MaxSendQueueBytes = GlueLimits.SendQueueBytesLowest;
                options.TimeProvider = _time;
            });
        var graphs = Client.CreateProxy<IGraphs>(host.Address);
        var gate = Client.CreateProxy<ITiming>(host.Address).WaitForeverAsync();
        var seen = host.Services.GetRequiredService<Observations>();
        Assert.True(await seen.Started.WaitAsync(Bound));
        await graphs.MakeBytesAsync(1).WaitAsync(Bound);
        Faults.Drop(1, FrameDirection.ToClient);
        var calls = Enumerable.Range(0, 40).Select(_ => graphs.MakeBytesAsync(10_000)).ToArray();
        await Eventually.TrueAsync(() => Faults.FrameCount > 40, Bound);
        Faults.IsDown = true;
        Faults.Cut();
        await EndLinkAsync("MaxSendQueueBytes");
        Faults.Heal();
        foreach (var call in calls.Append(gate))
        {
            var lost = await Assert.ThrowsAsync<GlueException>(() => call.WaitAsync(Bound));
            Assert.Equal(GlueDelivery.Unknown, lost.Delivery);
        }

        seen.End.SetResult();
    }

    [Fact]
    [Trait("Case", "glue-80")]
    public async Task CutsAndRestores_LeakNoSlot()
    {
        await using var client = Connect(options => options.MaxCallsInFlight = 8);
        var counter = client.CreateProxy<ISharedCounter>(Host.Address);

        // A cut during the first handshake ends the attempt to connect, and there is no link to restore.
        var expected = await counter.NextAsync().WaitAsync(Bound);
        for (var round = 0; round < 40; round++)
        {
            var calls = Enumerable.Range(0, 20).Select(_ => counter.NextAsync()).ToArray();
            Faults.Cut();
            await Task.WhenAll(calls).WaitAsync(Bound);
            expected += calls.Length;
        }

        Assert.Equal(expected + 1, await counter.NextAsync().WaitAsync(Bound));
    }

    /// <summary>Lets time pass at the server until it has noticed the silence and ended the link.</summary>
    private Task EndLinkAsync(string reason) => Eventually.TrueAsync(
        () =>
        {
            _time.Advance(GlueLimits.HeartbeatInterval / 10);
            return _logs.Entries.Any(entry => entry.Event.Id == LinkEndedId
                && entry.Message.Contains(reason, StringComparison.Ordinal));
        },
        Bound);

    private protected override Task<GlueHost> StartHostAsync() => StartHostAsync(static _ => { });

    private Task<GlueHost> StartHostAsync(Action<GlueServerOptions> configure) => GlueHost.StartAsync(
        options =>
        {
            options.HandshakeTimeout = Bound;
            configure(options);
        },
        glue =>
        {
            glue.Services.AddLogging(logging => logging.SetMinimumLevel(LogLevel.Debug).AddProvider(_logs.Provider));
            GlueHost.AddSemanticServices(glue);
        });
}
