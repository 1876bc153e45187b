using Cluster.Glue.Tests.Fuzzing;
using Cluster.Glue.Tests.Semantics;
using Cluster.Glue.Tests.Sessions;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Substreams;

/// <summary>Calls that share a batch, and one that is given up while its batch is written.</summary>
public sealed class BatchTests : DisturbedLinkTests
{
    [Fact]
    [Trait("Case", "glue-66")]
    public async Task PoisonInABatch_LeavesTheOthersAlone()
    {
        var sent = new ConcurrentQueue<byte[]>();
        await using var client = Connect(
            wrap: stream => new RecordingStream(stream, (toServer, payload) =>
            {
                if (toServer)
                    sent.Enqueue(payload);
            }));
        var shapes = client.CreateProxy<IShapes>(Host.Address);
        var failures = client.CreateProxy<IFailures>(Host.Address);
        Assert.Equal(2, await shapes.TwiceAsync(1).WaitAsync(Bound));
        await failures.TakeAnythingAsync(null).WaitAsync(Bound);
        Faults.Hold(CallsStream);
        sent.Clear();
        var before = Enumerable.Range(0, 20).Select(shapes.TwiceAsync).ToArray();
        var poison = failures.TakeAnythingAsync(new Stranger());
        var failing = failures.ThrowUnlistedAsync("x");
        var after = Enumerable.Range(20, 20).Select(shapes.TwiceAsync).ToArray();
        Faults.Release(CallsStream);
        Assert.Equal(
            Enumerable.Range(0, 40).Select(i => 2 * i), await Task.WhenAll([.. before, .. after]).WaitAsync(Bound));
        var refused = await Assert.ThrowsAsync<GlueException>(() => poison.WaitAsync(Bound));
        Assert.Equal(GlueErrorCode.ArgumentsNotReadable, refused.Code);
        await Assert.ThrowsAsync<RemoteException>(() => failing.WaitAsync(Bound));
        Assert.True(sent.Select(CallsIn).Max() > 20, "The calls did not share a batch.");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [Trait("Case", "glue-33")]
    public async Task Cancel_WhileTheBatchIsWritten_OrNotYetFlushed_ReleasesTheCaller(bool isWritten)
    {
        var gate = new Gate(isWritten);
        var streams = 0;
        await using var client = Connect(
            wrap: stream => ++streams == CallsStream ? new GatedStream(stream, gate) : stream);
        var timing = client.CreateProxy<ITiming>(Host.Address);
        Assert.Empty(await timing.NotesAsync().WaitAsync(Bound));
        gate.Close();
        using var stop = new CancellationTokenSource();
        var call = timing.WaitForCancellationAsync(stop.Token);
        await gate.Reached.WaitAsync(Bound);
        if (isWritten)
            Assert.True(await Seen.Started.WaitAsync(Bound));
        await stop.CancelAsync();
        var cancelled = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.WaitAsync(Bound));
        Assert.Equal(stop.Token, cancelled.CancellationToken);
        var next = timing.NotesAsync();
        gate.Open();
        Assert.Empty(await next.WaitAsync(Bound));
        // The cancellation comes behind the call, which may have begun.
        if (isWritten || await Seen.Started.WaitAsync(0))
            Assert.True(await Seen.CancellationSeen.WaitAsync(Bound));
    }

    private static int CallsIn(byte[] payload) =>
        Frames.EnvelopesIn(payload).Count(one => one.Kind == EnvelopeKind.Call);

    private protected override void ConfigureClient(GlueClientOptions options) =>
        options.ConfigureTypes = static types => types.Allow<Stranger>();

    /// <summary>On the client's list only.</summary>
    private sealed class Stranger;

    /// <summary>Stops a stream before or after what it sends is written.</summary>
    private sealed class Gate(bool isBehind)
    {
        private readonly TaskCompletionSource _reached = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource _open = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private volatile bool _isClosed;

        public Task Reached => _reached.Task;

        public void Close() => _isClosed = true;

        public void Open() => _open.TrySetResult();

        public async ValueTask SendAsync(Func<ValueTask> send)
        {
            // What had been sent when the gate was closed may come back here later than its answer.
            var stops = _isClosed;
            if (stops && !isBehind)
                await StopAsync();
            await send();
            if (stops && isBehind)
                await StopAsync();
        }

        private Task StopAsync()
        {
            _reached.TrySetResult();
            return _open.Task;
        }
    }

    private sealed class GatedStream(IMessageStream inner, Gate gate) : IMessageStream
    {
        public int ReceiveBytesMax
        {
            get => inner.ReceiveBytesMax;
            set => inner.ReceiveBytesMax = value;
        }

        public ValueTask SendAsync(ReadOnlyMemory<byte> payload) =>
            gate.SendAsync(() => inner.SendAsync(payload));

        public ValueTask<ReadOnlyMemory<byte>?> ReceiveAsync() => inner.ReceiveAsync();

        public ValueTask CompleteAsync() => inner.CompleteAsync();

        public void Abort()
        {
            gate.Open();
            inner.Abort();
        }

        public ValueTask DisposeAsync() => inner.DisposeAsync();
    }
}
