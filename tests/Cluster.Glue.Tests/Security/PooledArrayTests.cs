using Cluster.Glue.Endpoints;
using Cluster.Glue.Sessions;
using Cluster.Glue.Tests.Fuzzing;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Security;

/// <summary>An array goes back to the pool only when nobody reads into it any more, whatever was given up.</summary>
[WithCanaryArrays]
public sealed class PooledArrayTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    /// <summary>A side that gives up a handshake has waited for its reading: then its stream may be disposed.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    [Trait("Case", "repair-A1")]
    public async Task AcceptedHandshake_OutOfTime_EndsAfterItsRead(bool isTaken)
    {
        var time = new ManualTimeProvider();
        await using var host = await PeerHosts.StartAsync(null, options => options.TimeProvider = time);
        var stream = new HeldStream();
        var taken = new TaskCompletionSource();
        var origin = new LinkOrigin(
            "test", IsPeersOnly: false, Task.FromResult(Glue.Authorization.CallerIdentity.Nobody));
        Task running = new AcceptedHandshake(host.Services.GetRequiredService<ServerRuntime>(), stream, origin)
            .RunAsync(taken.Task, CancellationToken.None);
        if (isTaken)
            taken.SetResult();
        else
            time.Advance(TimeSpan.FromSeconds(6));
        await stream.Completed.WaitAsync(Bound);
        // Patience with the peer passes, too, and the read still goes on.
        for (var i = 0; i < 30; i++)
        {
            time.Advance(GlueLimits.LingerTime / 10);
            await Task.Delay(TimeSpan.FromMilliseconds(2), TimeProvider.System);
            Assert.False(running.IsCompleted);
        }

        stream.EndRead();
        await Assert.ThrowsAsync<GrpcStatusException>(() => running.WaitAsync(Bound));
    }

    /// <summary>A client whose second stream is not answered disposes it when nobody reads it any more.</summary>
    [Fact]
    [Trait("Case", "repair-A1")]
    public async Task Join_OutOfTime_DisposesItsStreamAfterTheRead()
    {
        var time = new ManualTimeProvider();
        var joining = new HeldStream();
        var script = new HostileScript
        {
            Welcome = Frames.Of(Frames.Envelope(EnvelopeKind.Welcome, 0, Frames.Hello(window: 60_000))),
        };
        var opened = 0;
        var client = PeerHosts.Connect(null, options =>
        {
            options.TimeProvider = time;
            options.WrapConnector = _ => new OwnConnector(
                () => ++opened == 1 ? new HostileStream(script) : joining);
        });
        var call = client.CreateProxy<IPublicDuties>("http://hostile").IsFromPeerAsync();
        await joining.IsReading.WaitAsync(Bound);
        // The client starts the timer of its time-out after the read has begun, so one advance could come too early.
        await Eventually.TrueAsync(
            () =>
            {
                time.Advance(TimeSpan.FromSeconds(6));
                return joining.Completed.IsCompleted;
            },
            Bound);
        // The pause after a failure passes, too.
        for (var i = 0; i < 30 && !joining.IsDisposed; i++)
        {
            time.Advance(TimeSpan.FromMilliseconds(50));
            await Task.Delay(TimeSpan.FromMilliseconds(2), TimeProvider.System);
        }

        Assert.False(joining.IsDisposedDuringRead);
        joining.EndRead();
        await Eventually.TrueAsync(
            () =>
            {
                time.Advance(TimeSpan.FromMilliseconds(50));
                return joining.IsDisposed;
            },
            Bound);
        Assert.False(joining.IsDisposedDuringRead);
        await Assert.ThrowsAnyAsync<Exception>(() => call.WaitAsync(Bound));
        var ending = client.DisposeAsync().AsTask();
        await Eventually.TrueAsync(
            () =>
            {
                time.Advance(TimeSpan.FromSeconds(1));
                return ending.IsCompleted;
            },
            Bound);
    }

    /// <summary>Hellos whose bytes go on coming while their time ends, beside arrays of bystanders.</summary>
    [Fact]
    [Trait("Case", "repair-A1")]
    public async Task Hellos_ThatComeAtTheirTimeout_WriteIntoNobodysArray()
    {
        using var canaries = new CanaryArrays();
        await using var host = await PeerHosts.StartAsync(null, options =>
        {
            options.HandshakeTimeout = TimeSpan.FromMilliseconds(20);
            options.MaxHandshakesPerConnection = 100;
        });
        using var shared = new HttpMessageInvoker(new SocketsHttpHandler());
        for (var round = 0; round < 10; round++)
        {
            // Announced, and never complete.
            HalfRequest[] requests = [.. Enumerable.Range(0, 20).Select(
                _ => new HalfRequest(host.Address, [0, 0, 0, 0xF0, 0], shared: shared))];
            await Task.WhenAll(requests.Select(one => one.Written)).WaitAsync(Bound);
            for (var piece = 0; piece < 20; piece++)
            {
                await Task.WhenAll(requests.Select(one => one.SendAsync(new byte[500]))).WaitAsync(Bound);
                await Task.Delay(TimeSpan.FromMilliseconds(1), TimeProvider.System);
                canaries.Rent();
            }

            foreach (var request in requests)
                request.Dispose();
        }

        canaries.Check();
        Assert.True(canaries.CheckedCount > 100);
    }

    private sealed class OwnConnector(Func<IMessageStream> open) : IMessageConnector
    {
        public ValueTask<IMessageStream> OpenAsync(Uri address, CancellationToken cancellationToken) =>
            new(open());
    }

    /// <summary>A stream whose read ends when the test says so, as if bytes were on their way into its
    /// buffer.</summary>
    private sealed class HeldStream : IMessageStream
    {
        private readonly TaskCompletionSource _completed = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource _isReading = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource<ReadOnlyMemory<byte>?> _read =
            new(TaskCreationOptions.RunContinuationsAsynchronously);

        public int ReceiveBytesMax { get; set; }

        /// <summary>Completes when the stream was given up.</summary>
        public Task Completed => _completed.Task;

        public Task IsReading => _isReading.Task;

        public bool IsDisposed { get; private set; }

        public bool IsDisposedDuringRead { get; private set; }

        public void EndRead() => _read.TrySetResult(null);

        public ValueTask SendAsync(ReadOnlyMemory<byte> payload) => ValueTask.CompletedTask;

        public ValueTask<ReadOnlyMemory<byte>?> ReceiveAsync()
        {
            _isReading.TrySetResult();
            return new(_read.Task);
        }

        public ValueTask CompleteAsync()
        {
            _completed.TrySetResult();
            return ValueTask.CompletedTask;
        }

        public void Abort() => _completed.TrySetResult();

        public ValueTask DisposeAsync()
        {
            IsDisposedDuringRead |= !_read.Task.IsCompleted;
            IsDisposed = true;
            return ValueTask.CompletedTask;
        }
    }
}
