using System.Collections.Concurrent;
using Cluster.Glue.Tests.Fuzzing;
using Cluster.Glue.Tests.Semantics;
using Cluster.Glue.Wire;
using Cluster.Testing;

namespace Cluster.Glue.Tests.Links;

/// <summary>What a cancellation costs, and what it waits for, on a link whose clocks stand still.</summary>
[WithCanaryArrays]
public sealed class CancellationTests : DisturbedLinkTests
{
    private readonly ManualTimeProvider _time = new();

    [Fact]
    [Trait("Case", "glue-30")]
    public async Task Cancellation_IsOneMessageOfTheControlLane_AndWaitsForNoTimer()
    {
        var sent = new ConcurrentQueue<byte[]>();
        await using GlueClient client = Connect(wrap: stream => new RecordingStream(stream, (toServer, payload) =>
        {
            if (toServer)
                sent.Enqueue(payload);
        }));
        ITiming timing = client.CreateProxy<ITiming>(Host.Address);
        Assert.Empty(await timing.NotesAsync().WaitAsync(Bound));
        using var stop = new CancellationTokenSource();
        Task<bool> call = timing.WaitForCancellationAsync(stop.Token);
        Assert.True(await Seen.Started.WaitAsync(Bound));
        // However much waits on the lane of calls.
        Faults.Hold(CallsStream);
        sent.Clear();
        await stop.CancelAsync();
        Assert.True(await Seen.CancellationSeen.WaitAsync(Bound));
        RecordedEnvelope cancel = Assert.Single(sent.SelectMany(Frames.EnvelopesIn));
        Assert.Equal(EnvelopeKind.Cancel, cancel.Kind);
        Faults.Heal();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.WaitAsync(Bound));
    }

    private protected override Task<GlueHost> StartHostAsync()
        => GlueHost.StartAsync(options => options.TimeProvider = _time);

    private protected override void ConfigureClient(GlueClientOptions options) => options.TimeProvider = _time;
}
