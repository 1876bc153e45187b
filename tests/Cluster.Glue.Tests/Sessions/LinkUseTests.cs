using Cluster.Glue.Substreams;
using Cluster.Glue.Tests.Semantics;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>A link that nobody calls over is given up, and opened again by the next call.</summary>
public sealed class LinkUseTests : IDisposable
{
    private const int LinkOpened = 1003;
    private const int LinkEnded = 1004;
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    // So long that a whole idle time passes without a sign of life.
    private static readonly TimeSpan Beat = TimeSpan.FromMinutes(10);

    private readonly LogRecorder _logs = new();
    private readonly ManualTimeProvider _time = new();

    public void Dispose() => _logs.Dispose();

    [Fact]
    public async Task Link_NobodyCallsOver_IsEndedInOrderAndOpenedAgainByTheNextCall()
    {
        await using var host = await StartAsync();
        await using var client = Connect();
        var shapes = client.CreateProxy<IShapes>(host.Address);
        Assert.Equal(2, await shapes.TwiceAsync(1));
        await WaitForStreamsAsync(client);
        _time.Advance(Beat / LinkPulse.BeatsPerInterval);
        Assert.DoesNotContain(_logs.Entries, entry => entry.Event.Id == LinkEnded);
        _time.Advance(2 * Beat / LinkPulse.BeatsPerInterval);
        var ended = await _logs.WaitForAsync(LinkEnded, Bound);
        Assert.EndsWith("the peer ended it", ended.Message, StringComparison.Ordinal);

        Assert.Equal(4, await shapes.TwiceAsync(2));
        Assert.Equal(2, _logs.Entries.Count(entry => entry.Event.Id == LinkOpened));
    }

    [Fact]
    public async Task Link_WithACallUnderWay_StaysOpen()
    {
        await using var host = await StartAsync();
        await using var client = Connect();
        await client.CreateProxy<IShapes>(host.Address).TwiceAsync(1);
        await WaitForStreamsAsync(client);
        var timing = client.CreateProxy<ITiming>(host.Address);
        using var stop = new CancellationTokenSource();
        Task call;
        using (GlueCall.WithDeadline(TimeSpan.FromDays(1)))
            call = timing.WaitForCancellationAsync(stop.Token);
        Assert.True(await host.Services.GetRequiredService<Observations>().Started.WaitAsync(Bound));
        _time.Advance(1.5 * Beat);
        Assert.False(call.IsCompleted);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.WaitAsync(Bound));
        Assert.DoesNotContain(_logs.Entries, entry => entry.Event.Id == LinkEnded);
    }

    // A stream that is still being opened when the clock moves would be given up.
    private static Task WaitForStreamsAsync(GlueClient client) =>
        Eventually.TrueAsync(() => client.Links.All(link => !link.IsBusy), Bound);

    private GlueClient Connect() => new(new GlueClientOptions { TimeProvider = _time, HeartbeatInterval = Beat });

    private Task<GlueHost> StartAsync() => GlueHost.StartAsync(addServices: glue =>
    {
        glue.Services.AddLogging(logging => logging.AddProvider(_logs.Provider).SetMinimumLevel(LogLevel.Debug));
        GlueHost.AddSemanticServices(glue);
    });
}
