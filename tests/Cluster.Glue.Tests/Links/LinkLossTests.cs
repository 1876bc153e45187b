using Cluster.Contracts;
using Cluster.Glue.Tests.Semantics;
using Cluster.Testing;
using Cluster.Testing.Glue;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Tests.Links;

/// <summary>At which moment a link is lost, what becomes of its calls, and what is kept for how long.</summary>
public sealed class LinkLossTests : IAsyncLifetime, IDisposable
{
    private const int LinkEndedId = 1004;
    private const int LinkRefusedId = 1005;
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly FaultyLink _faults = new(seed: 20261122);
    private readonly LogRecorder _logs = new();
    private GlueHost _host = null!;

    private Observations Seen => _host.Services.GetRequiredService<Observations>();

    public Task InitializeAsync()
    {
        // A join that comes when its link has just ended is refused.
        _logs.Allow(LinkRefusedId);
        return Task.CompletedTask;
    }

    public async Task DisposeAsync()
    {
        _faults.Heal();
        Seen.End.TrySetResult();
        await _host.DisposeAsync();
    }

    public void Dispose() => _logs.Dispose();

    [Fact]
    [Trait("Case", "glue-77")]
    public async Task CutBeforeTheCallIsSent_ItRunsOnce()
    {
        await using GlueClient client = await StartAsync();
        ISharedCounter counter = client.CreateProxy<ISharedCounter>(_host.Address);
        Assert.Equal(1, await counter.NextAsync().WaitAsync(Bound));
        _faults.CutAt(1, FrameDirection.ToServer);
        Assert.Equal(2, await counter.NextAsync().WaitAsync(Bound));
        Assert.Equal(3, await counter.NextAsync().WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "glue-77")]
    public async Task CutWhileTheCallRuns_ItRunsOnce()
    {
        await using GlueClient client = await StartAsync();
        ITiming timing = client.CreateProxy<ITiming>(_host.Address);
        Task call = timing.WaitForeverAsync();
        Assert.True(await Seen.Started.WaitAsync(Bound));
        _faults.Cut();
        Seen.End.SetResult();
        await call.WaitAsync(Bound);
        Assert.Equal(0, Seen.Started.CurrentCount);
    }

    [Fact]
    [Trait("Case", "glue-77")]
    public async Task CutAfterTheCallHasRun_BeforeItsReplyIsRead_ItRunsOnce()
    {
        await using GlueClient client = await StartAsync();
        ISharedCounter counter = client.CreateProxy<ISharedCounter>(_host.Address);
        Assert.Equal(1, await counter.NextAsync().WaitAsync(Bound));
        _faults.CutAt(1, FrameDirection.ToClient);
        Assert.Equal(2, await counter.NextAsync().WaitAsync(Bound));
        Assert.Equal(3, await counter.NextAsync().WaitAsync(Bound));
    }

    [Theory]
    [InlineData(GlueLostLinkCalls.Cancel)]
    [InlineData(GlueLostLinkCalls.RunOn)]
    [Trait("Case", "glue-37")]
    public async Task CallsOfALostLink_AreCancelledOrRunOn_AsTheServerSays(GlueLostLinkCalls mode)
    {
        await using GlueClient client = await StartAsync(
            server => server.LostLinkCalls = mode,
            options => options.ResumeWindow = TimeSpan.FromMilliseconds(100));
        ITiming timing = client.CreateProxy<ITiming>(_host.Address);
        using var never = new CancellationTokenSource();
        Task<bool> call = timing.WaitForCancellationAsync(never.Token);
        Assert.True(await Seen.Started.WaitAsync(Bound));
        _faults.IsDown = true;
        _faults.Cut();
        await Eventually.TrueAsync(() => _logs.Entries.Any(entry => entry.Event.Id == LinkEndedId), Bound);
        await Assert.ThrowsAsync<GlueException>(() => call.WaitAsync(Bound));
        if (mode == GlueLostLinkCalls.Cancel)
            Assert.True(await Seen.CancellationSeen.WaitAsync(Bound));
        else
            Assert.Equal(0, Seen.Cancellations);
    }

    [Fact]
    [Trait("Case", "glue-81")]
    public async Task FailedWrite_OfALinkThatIsNotResumed_FailsAllCallsOfTheBatch()
    {
        await using GlueClient client = await StartAsync(configure: options => options.ResumeWindow = TimeSpan.Zero);
        ISharedCounter counter = client.CreateProxy<ISharedCounter>(_host.Address);
        Assert.Equal(1, await counter.NextAsync().WaitAsync(Bound));
        _faults.Hold(stream: 1);
        Task<int>[] calls = Enumerable.Range(0, 100).Select(_ => counter.NextAsync()).ToArray();
        _faults.CutAt(1, FrameDirection.ToServer);
        _faults.Release(stream: 1);
        foreach (Task<int> call in calls)
        {
            var lost = await Assert.ThrowsAsync<GlueException>(() => call.WaitAsync(Bound));
            Assert.Equal((GlueErrorKind.Broken, GlueDelivery.Unknown), (lost.Kind, lost.Delivery));
        }

        Assert.Equal(2, await counter.NextAsync().WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "glue-81")]
    public async Task FailedWrite_OfALinkThatIsResumed_IsSentAgain()
    {
        await using GlueClient client = await StartAsync();
        ISharedCounter counter = client.CreateProxy<ISharedCounter>(_host.Address);
        Assert.Equal(1, await counter.NextAsync().WaitAsync(Bound));
        _faults.Hold(stream: 2);
        Task<int>[] calls = Enumerable.Range(0, 100).Select(_ => counter.NextAsync()).ToArray();
        _faults.CutAt(1, FrameDirection.ToServer);
        _faults.Release(stream: 2);
        Assert.Equal(Enumerable.Range(2, 100), (await Task.WhenAll(calls).WaitAsync(Bound)).Order());
    }

    [Fact]
    [Trait("Case", "glue-82")]
    public async Task RepliesThatNobodyFetches_AreKeptUpToTheBound_ThenTheLinkEnds()
    {
        await using GlueClient client = await StartAsync(
            server => server.SendQueueBytesMax = GlueLimits.SendQueueBytesLowest);
        IGraphs graphs = client.CreateProxy<IGraphs>(_host.Address);
        ITiming timing = client.CreateProxy<ITiming>(_host.Address);
        Task gate = timing.WaitForeverAsync();
        Assert.True(await Seen.Started.WaitAsync(Bound));
        await graphs.MakeBytesAsync(1).WaitAsync(Bound);
        _faults.Drop(1, FrameDirection.ToClient);
        Task<byte[]>[] calls = Enumerable.Range(0, 40).Select(_ => graphs.MakeBytesAsync(10_000)).ToArray();
        await Eventually.TrueAsync(() => _faults.FrameCount > 40, Bound);
        _faults.IsDown = true;
        _faults.Cut();
        await Eventually.TrueAsync(
            () => _logs.Entries.Any(entry => entry.Event.Id == LinkEndedId
                && entry.Message.Contains("SendQueueBytesMax", StringComparison.Ordinal)),
            Bound);
        _faults.Heal();
        foreach (Task call in calls.Append(gate))
        {
            var lost = await Assert.ThrowsAsync<GlueException>(() => call.WaitAsync(Bound));
            Assert.Equal(GlueDelivery.Unknown, lost.Delivery);
        }
    }

    [Fact]
    [Trait("Case", "glue-80")]
    public async Task CutsAndRestores_LeakNoSlot()
    {
        await using GlueClient client = await StartAsync(configure: options => options.CallsInFlightMax = 8);
        ISharedCounter counter = client.CreateProxy<ISharedCounter>(_host.Address);
        int expected = 0;
        for (int round = 0; round < 40; round++)
        {
            Task<int>[] calls = Enumerable.Range(0, 20).Select(_ => counter.NextAsync()).ToArray();
            _faults.Cut();
            await Task.WhenAll(calls).WaitAsync(Bound);
            expected += calls.Length;
        }

        Assert.Equal(expected + 1, await counter.NextAsync().WaitAsync(Bound));
    }

    private async Task<GlueClient> StartAsync(
        Action<GlueServerOptions>? server = null, Action<GlueClientOptions>? configure = null)
    {
        _host = await GlueHost.StartAsync(
            options =>
            {
                options.HandshakeTimeout = Bound;
                server?.Invoke(options);
            },
            glue =>
            {
                glue.Services.AddLogging(
                    logging => logging.SetMinimumLevel(LogLevel.Debug).AddProvider(_logs.Provider));
                GlueHost.AddSemanticServices(glue);
            });
        return PatientClient.Connect(_faults, configure);
    }
}
