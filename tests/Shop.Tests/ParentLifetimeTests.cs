using System.IO.Pipes;
using Cluster.Testing;
using Microsoft.Extensions.Hosting;

namespace Shop.Tests;

public sealed class ParentLifetimeTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task Start_ParentWritesAndGoesAway_EndsTheHostOnce()
    {
        using var parent = new AnonymousPipeServerStream(PipeDirection.Out);
        using var pipe = new AnonymousPipeClientStream(PipeDirection.In, parent.ClientSafePipeHandle);
        var host = new FakeHost();
        using var lifetime = new ParentLifetime(host, pipe);
        host.Lifetime = lifetime;
        await lifetime.WaitForStartAsync(CancellationToken.None);

        parent.Write("hello"u8);
        parent.Flush();
        Assert.Equal(0, host.StopCount);
        parent.Dispose();

        await Eventually.TrueAsync(() => host.StopCount == 1, Bound);
    }

    private sealed class FakeHost : IHostApplicationLifetime
    {
        private int _stopCount;

        public ParentLifetime? Lifetime { get; set; }

        public int StopCount => Volatile.Read(ref _stopCount);

        public CancellationToken ApplicationStarted => CancellationToken.None;

        public CancellationToken ApplicationStopping => CancellationToken.None;

        public CancellationToken ApplicationStopped => CancellationToken.None;

        // Like a real host, this one tells its lifetime that it has stopped.
        public void StopApplication()
        {
            Lifetime!.StopAsync(CancellationToken.None);
            Interlocked.Increment(ref _stopCount);
        }
    }
}
