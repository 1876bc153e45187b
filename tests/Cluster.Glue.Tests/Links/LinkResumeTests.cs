using Cluster.Contracts;
using Cluster.Glue.Tests.Semantics;
using Cluster.Testing;
using Cluster.Testing.Glue;
using Microsoft.Extensions.DependencyInjection;
using Xunit.Abstractions;

namespace Cluster.Glue.Tests.Links;

/// <summary>
/// A link outlives its streams: what was under way when one was cut goes on, and nothing runs twice. Acceptance cases 37,
/// 77 to 80 and 82.
/// </summary>
public sealed class LinkResumeTests(ITestOutputHelper output) : IAsyncLifetime
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly FaultyLink _faults = new(seed: 20261121);
    private GlueHost _host = null!;
    private GlueClient _client = null!;

    public async Task InitializeAsync()
    {
        _host = await GlueHost.StartAsync(options => options.HandshakeTimeout = TimeSpan.FromSeconds(1));
        _client = Connect();
    }

    public async Task DisposeAsync()
    {
        _faults.Heal();
        await _client.DisposeAsync();
        await _host.DisposeAsync();
    }

    [Fact]
    [Trait("Case", "glue-77")]
    public async Task Calls_CutAtAnyFrame_RunOnce()
    {
        ISharedCounter counter = _client.CreateProxy<ISharedCounter>(_host.Address);
        int expected = 0;
        for (int round = 0; round < 60; round++)
        {
            Assert.Equal(++expected, await counter.NextAsync());
            FrameDirection direction = round % 2 == 0 ? FrameDirection.ToServer : FrameDirection.ToClient;
            _faults.CutAt(1 + (round / 4 % 4), direction, isDelivered: round / 2 % 2 == 0);
            int[] results = await Task.WhenAll(Enumerable.Range(0, 5).Select(_ => counter.NextAsync())).WaitAsync(Bound);
            Assert.Equal(Enumerable.Range(expected + 1, 5), results.Order());
            expected += 5;
        }

        output.WriteLine($"{_faults.StreamCount} streams carried {expected} calls, seed {_faults.Seed}");
        Assert.True(_faults.StreamCount > 20);
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
        ISharedCounter counter = _client.CreateProxy<ISharedCounter>(_host.Address);
        Assert.Equal(1, await counter.NextAsync());
        _faults.Repeat(1);
        for (int expected = 2; expected <= 50; expected++)
            Assert.Equal(expected, await counter.NextAsync().WaitAsync(Bound));
    }

    [Fact]
    public async Task LostFrames_AreSentAgain()
    {
        ISharedCounter counter = _client.CreateProxy<ISharedCounter>(_host.Address);
        Assert.Equal(1, await counter.NextAsync());
        _faults.Drop(0.1);
        int[] results = await Task.WhenAll(Enumerable.Range(0, 50).Select(_ => counter.NextAsync())).WaitAsync(Bound);
        Assert.Equal(Enumerable.Range(2, 50), results.Order());
    }

    [Fact]
    [Trait("Case", "glue-79")]
    public async Task HalfOpenLink_IsNoticedByItsSilence_AndResumed()
    {
        ISharedCounter counter = _client.CreateProxy<ISharedCounter>(_host.Address);
        Assert.Equal(1, await counter.NextAsync());
        _faults.Drop(1, FrameDirection.ToClient);
        Task<int> call = counter.NextAsync();
        await Eventually.TrueAsync(() => _faults.StreamCount > 2, Bound);
        Assert.False(call.IsCompleted);
        // No stream sees both: a gap in it is another fault.
        _faults.IsDown = true;
        _faults.Cut();
        _faults.Heal();
        Assert.Equal(2, await call.WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "glue-37")]
    [Trait("Case", "glue-82")]
    public async Task LossThatOutlastsTheWindow_FailsCalls_AndCancelsThemOnTheServer()
    {
        await using GlueClient client = Connect(options => options.ResumeWindow = TimeSpan.FromMilliseconds(200));
        ITiming timing = client.CreateProxy<ITiming>(_host.Address);
        var seen = _host.Services.GetRequiredService<Observations>();
        using var never = new CancellationTokenSource();
        Task<bool> call = timing.WaitForCancellationAsync(never.Token);
        Assert.True(await seen.Started.WaitAsync(Bound));
        _faults.IsDown = true;
        _faults.Cut();
        var lost = await Assert.ThrowsAsync<GlueException>(() => call.WaitAsync(Bound));
        Assert.Equal((GlueErrorKind.Broken, GlueDelivery.Unknown), (lost.Kind, lost.Delivery));
        Assert.Contains("ResumeWindow", lost.Message, StringComparison.Ordinal);
        Assert.True(await seen.CancellationSeen.WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "glue-37")]
    public async Task LossThatIsMendedInTime_CancelsNothing()
    {
        ITiming timing = _client.CreateProxy<ITiming>(_host.Address);
        var seen = _host.Services.GetRequiredService<Observations>();
        using var stop = new CancellationTokenSource();
        Task<bool> call = timing.WaitForCancellationAsync(stop.Token);
        Assert.True(await seen.Started.WaitAsync(Bound));
        _faults.Cut();
        Assert.Equal(2, await _client.CreateProxy<IShapes>(_host.Address).TwiceAsync(1).WaitAsync(Bound));
        Assert.Equal(0, seen.Cancellations);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.WaitAsync(Bound));
        Assert.True(await seen.CancellationSeen.WaitAsync(Bound));
    }

    [Fact]
    public async Task CallDuringALoss_IsSentWhenItIsMended_OrNotDelivered()
    {
        ISharedCounter counter = _client.CreateProxy<ISharedCounter>(_host.Address);
        Assert.Equal(1, await counter.NextAsync());
        _faults.IsDown = true;
        _faults.Cut();
        Task<int> patient = counter.NextAsync();
        // Until the loss is noticed, calls are under way over the old stream.
        IShapes shapes = _client.CreateProxy<IShapes>(_host.Address);
        using (GlueCall.WithDeadline(TimeSpan.FromMilliseconds(50)))
        {
            await Eventually.TrueAsync(
                async () => (await Assert.ThrowsAsync<GlueException>(() => shapes.TwiceAsync(1))).Delivery
                    == GlueDelivery.NotDelivered,
                Bound);
        }

        _faults.IsDown = false;
        Assert.Equal(2, await patient.WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "glue-33")]
    public async Task Cancellation_ThatOvertakesItsCall_IsHonoured()
    {
        ITiming timing = _client.CreateProxy<ITiming>(_host.Address);
        ISharedCounter counter = _client.CreateProxy<ISharedCounter>(_host.Address);
        Assert.Equal(1, await counter.NextAsync());
        Assert.Empty(await timing.NotesAsync());
        _faults.Hold(stream: 2);
        using var stop = new CancellationTokenSource();
        long before = _faults.FrameCount;
        Task<bool> call = timing.WaitForCancellationAsync(stop.Token);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.WaitAsync(Bound));
        await Eventually.TrueAsync(() => _faults.FrameCount > before, Bound);
        _faults.Release(stream: 2);
        Assert.Equal(2, await counter.NextAsync().WaitAsync(Bound));
        Assert.Equal(0, _host.Services.GetRequiredService<Observations>().Started.CurrentCount);
    }

    [Fact]
    public async Task StreamsThatHaveGrownOld_AreReplaced_WithoutACallNoticing()
    {
        await using GlueClient client = Connect(options => options.LinkAgeMax = TimeSpan.FromSeconds(1));
        ISharedCounter counter = client.CreateProxy<ISharedCounter>(_host.Address);
        int expected = 0;
        while (_faults.StreamCount < 6)
            Assert.Equal(++expected, await counter.NextAsync().WaitAsync(Bound));
        Assert.Equal(++expected, await counter.NextAsync().WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "glue-78")]
    public async Task NewServerProcessAtTheAddress_RefusesTheOldLink()
    {
        int port = FreePorts.Next();
        string address = $"http://127.0.0.1:{port}";
        ITiming timing = _client.CreateProxy<ITiming>(address);
        Task call;
        await using (GlueHost first = await GlueHost.StartAsync(options => options.ListenAddress = address))
        {
            call = timing.WaitForeverAsync();
            Assert.True(await first.Services.GetRequiredService<Observations>().Started.WaitAsync(Bound));
            _faults.IsDown = true;
            _faults.Cut();
            first.Services.GetRequiredService<Observations>().End.SetResult();
        }

        await using GlueHost second = await GlueHost.StartAsync(options => options.ListenAddress = address);
        _faults.IsDown = false;
        var lost = await Assert.ThrowsAsync<GlueException>(() => call.WaitAsync(Bound));
        Assert.Equal(GlueDelivery.Unknown, lost.Delivery);
        Assert.Empty(await timing.NotesAsync().WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "glue-78")]
    public async Task NewServerProcessAtTheAddress_AnswersTheIdempotentCallsOfTheOldOne()
    {
        string address = $"http://127.0.0.1:{FreePorts.Next()}";
        ITiming timing = _client.CreateProxy<ITiming>(
            address, new GlueProxyOptions { Resilience = new GlueResilienceOptions { IsIdempotent = _ => true } });
        Task call;
        await using (GlueHost first = await GlueHost.StartAsync(options => options.ListenAddress = address))
        {
            call = timing.WaitForeverAsync();
            Assert.True(await first.Services.GetRequiredService<Observations>().Started.WaitAsync(Bound));
            _faults.IsDown = true;
            _faults.Cut();
            first.Services.GetRequiredService<Observations>().End.SetResult();
        }

        await using GlueHost second = await GlueHost.StartAsync(options => options.ListenAddress = address);
        _faults.IsDown = false;
        Observations observations = second.Services.GetRequiredService<Observations>();
        Assert.True(await observations.Started.WaitAsync(Bound));
        observations.End.SetResult();
        await call.WaitAsync(Bound);
    }

    private async Task RunThroughCutsAsync(int cuts)
    {
        ISharedCounter counter = _client.CreateProxy<ISharedCounter>(_host.Address);
        using var stop = new CancellationTokenSource();
        Task<List<int>>[] callers = Enumerable.Range(0, 8).Select(_ => CallUntilAsync(counter, stop.Token)).ToArray();
        for (int cut = 0; cut < cuts; cut++)
        {
            long before = _faults.FrameCount;
            await Eventually.TrueAsync(() => _faults.FrameCount > before + 20, Bound);
            _faults.Cut();
        }

        await stop.CancelAsync();
        List<int>[] results = await Task.WhenAll(callers).WaitAsync(Bound);
        int[] all = results.SelectMany(result => result).Order().ToArray();
        Assert.Equal(Enumerable.Range(1, all.Length), all);
        output.WriteLine($"{all.Length} calls through {cuts} cuts, {_faults.StreamCount} streams");
    }

    private static async Task<List<int>> CallUntilAsync(ISharedCounter counter, CancellationToken stop)
    {
        var results = new List<int>();
        while (!stop.IsCancellationRequested)
            results.Add(await counter.NextAsync());
        return results;
    }

    private GlueClient Connect(Action<GlueClientOptions>? configure = null)
        => PatientClient.Connect(_faults, options =>
        {
            options.HeartbeatInterval = TimeSpan.FromMilliseconds(100);
            configure?.Invoke(options);
        });
}
