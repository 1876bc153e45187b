using Cluster.Glue.Tests.Fuzzing;
using Cluster.Glue.Wire;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>What a cancellation costs, and what it waits for, on a link whose clocks stand still.</summary>
[WithCanaryArrays]
public sealed class CancellationTests : DisturbedLinkTests
{
    private const int Callers = 600;
    private const int Rounds = 40;

    private readonly ManualTimeProvider _time = new();
    private readonly ConcurrentQueue<byte[]> _sent = new();

    private Storm Storm => Host.Services.GetRequiredService<Storm>();

    [Fact]
    [Trait("Case", "glue-30")]
    public async Task Cancellation_IsOneMessage_AndWaitsForNoTimer()
    {
        await using var client = ConnectRecorded();
        var storm = client.CreateProxy<IStorm>(Host.Address);
        await storm.RemainingAsync([]).WaitAsync(Bound);
        using var stop = new CancellationTokenSource();
        var call = storm.WaitAsync([], stop.Token);
        await Eventually.TrueAsync(() => Storm.Running == 1, Bound);
        _sent.Clear();
        await stop.CancelAsync();
        await Eventually.TrueAsync(() => Storm.Running == 0, Bound);
        var cancel = Assert.Single(_sent.SelectMany(Frames.EnvelopesIn));
        Assert.Equal(EnvelopeKind.Cancel, cancel.Kind);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.WaitAsync(Bound));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(200_000)]
    [Trait("Case", "repair-B3")]
    public async Task CallThatWasNotSent_IsDroppedFromTheQueue_AndNothingIsSaidOfIt(int size)
    {
        await using var client = ConnectRecorded();
        var storm = client.CreateProxy<IStorm>(Host.Address);
        // The first one fills the substream, where it is large.
        (var first, var stream) = await HoldAsync(storm, size, firstSize: 150 * size);
        using var stop = new CancellationTokenSource();
        Task[] given = [.. Enumerable.Range(0, 20).Select(_ => storm.WaitAsync(new byte[size], stop.Token))];
        await stop.CancelAsync();
        foreach (var one in given)
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => one.WaitAsync(Bound));
        Faults.Release(stream);
        await first.WaitAsync(Bound);
        await storm.RemainingAsync(new byte[size]).WaitAsync(Bound);
        Assert.Equal(0, Storm.Running);
        // Some of the large ones may have got to the substream beside the first.
        var cancels = _sent.SelectMany(Frames.EnvelopesIn).Count(one => one.Kind == EnvelopeKind.Cancel);
        Assert.InRange(cancels, 0, size == 1 ? 0 : given.Length - 1);
        Assert.InRange(Storm.Started, 0, cancels);
    }

    /// <summary>The server stands still; the callers go on calling and giving up.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    [Trait("Case", "repair-B3")]
    public async Task ManyCallersThatGiveUp_WhileTheServerStandsStill_LeaveNothingRunning(bool isServerBlocked)
    {
        var storm = Proxy<IStorm>();
        await storm.RemainingAsync([]).WaitAsync(Bound);
        var blocking = isServerBlocked ? storm.BlockAsync() : Task.CompletedTask;
        if (!isServerBlocked)
            Faults.Hold(CallsStream);
        await Task.WhenAll(Enumerable.Range(0, Callers).Select(_ => Task.Run(async () =>
        {
            for (var round = 0; round < Rounds; round++)
            {
                using var stop = new CancellationTokenSource();
                var call = storm.WaitAsync([], stop.Token);
                await stop.CancelAsync();
                await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
            }
        }))).WaitAsync(Bound);
        Faults.Release(CallsStream);
        Storm.Passage.Set();
        await blocking.WaitAsync(Bound);
        // Whatever came before it on the substream has begun, and was cancelled behind.
        await storm.RemainingAsync([]).WaitAsync(Bound);
        await Eventually.TrueAsync(() => Storm.Running == 0, Bound);
    }

    /// <summary>As many calls as are allowed run at the server: the next ones are read, and with them what ends
    /// these.</summary>
    [Fact]
    [Trait("Case", "repair-B3")]
    public async Task CallsOfAFullServer_CanBeCancelled()
    {
        const int Limit = 50;
        await using var host = await GlueHost.StartAsync(
            options => options.MaxCallsInFlight = Limit, AddStorm);
        var storm = Client.CreateProxy<IStorm>(host.Address);
        var counts = host.Services.GetRequiredService<Storm>();
        // The cancellation alone ends them: not their deadline.
        using var longer = GlueCall.WithDeadline(TimeSpan.FromHours(1));
        for (var round = 0; round < 3; round++)
        {
            using var stop = new CancellationTokenSource();
            Task[] calls = [.. Enumerable.Range(0, Limit).Select(_ => storm.WaitAsync([], stop.Token))];
            await Eventually.TrueAsync(() => counts.Running == Limit, Bound);
            await stop.CancelAsync();
            foreach (var call in calls)
                await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.WaitAsync(Bound));
            await Eventually.TrueAsync(() => counts.Running == 0, Bound, "the end of each call at the server");
        }

        await storm.RemainingAsync([]).WaitAsync(Bound);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(200_000)]
    [Trait("Case", "repair-B3")]
    public async Task TimeInTheQueue_IsNotAddedToTheDeadline(int size)
    {
        await using var client = ConnectRecorded();
        var storm = client.CreateProxy<IStorm>(Host.Address);
        (var first, var stream) = await HoldAsync(storm, size, firstSize: size);
        var waiting = new List<Task<TimeSpan>>();
        using (GlueCall.WithDeadline(TimeSpan.FromSeconds(10)))
        {
            waiting.Add(storm.RemainingAsync(new byte[size]));
            _time.Advance(TimeSpan.FromSeconds(1));
            waiting.Add(storm.RemainingAsync(new byte[size]));
            _time.Advance(TimeSpan.FromSeconds(2));
        }

        Faults.Release(stream);
        await first.WaitAsync(Bound);
        var left = await Task.WhenAll(waiting).WaitAsync(Bound);
        Assert.Equal([TimeSpan.FromSeconds(7), TimeSpan.FromSeconds(8)], left);
    }

    /// <summary>Holds the stream that carries calls of a size while a first call is written to it, so that what is
    /// called next waits.</summary>
    private async Task<(Task<TimeSpan> First, int Stream)> HoldAsync(IStorm storm, int size, int firstSize)
    {
        var stream = size > GlueWire.WholeBodyBytesMax ? BulkStream : CallsStream;
        await storm.RemainingAsync(new byte[size]).WaitAsync(Bound);
        Faults.Hold(stream);
        _sent.Clear();
        var first = storm.RemainingAsync(new byte[firstSize]);
        await Eventually.TrueAsync(() => !_sent.IsEmpty, Bound);
        // No stream was replaced, so that the one that is held carries these calls.
        Assert.Equal(stream, Faults.StreamCount);
        return (first, stream);
    }

    private GlueClient ConnectRecorded() => Connect(wrap: stream => new RecordingStream(stream, (toServer, payload) =>
    {
        if (toServer)
            _sent.Enqueue(payload);
    }));

    private protected override IEnumerable<ManualTimeProvider> Clocks => [_time];

    private protected override Task<GlueHost> StartHostAsync() =>
        GlueHost.StartAsync(options => options.TimeProvider = _time, AddStorm);

    private static void AddStorm(GlueServerBuilder glue)
    {
        GlueHost.AddSemanticServices(glue);
        glue.AddService<IStorm, Storm>(GlueInstanceMode.Singleton);
    }

    private protected override void ConfigureClient(GlueClientOptions options) => options.TimeProvider = _time;

    public override async Task DisposeAsync()
    {
        Storm.Passage.Set();
        await base.DisposeAsync();
    }
}
