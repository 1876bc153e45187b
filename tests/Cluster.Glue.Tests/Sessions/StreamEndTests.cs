using Cluster.Glue.Transport;
using Cluster.Testing;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>Any code that has found a stream may abort it, also at the moment at which it ends: the abort then
/// does nothing.</summary>
[WithCanaryArrays]
public sealed class StreamEndTests
{
    [Fact]
    public async Task AcceptedStream_ThatHasEnded_DoesNotAbortTheNextRequestOfItsContext()
    {
        var lifetime = new Lifetime();
        var context = new DefaultHttpContext();
        context.Features.Set<IHttpRequestLifetimeFeature>(lifetime);
        // It neither reads nor writes.
        var stream = new GrpcServerStream(null!, null!, context, GlueCompression.None);
        stream.Abort();
        Assert.Equal(1, lifetime.AbortCount);
        await stream.DisposeAsync();
        stream.Abort();
        await stream.CompleteAsync();
        Assert.Equal(1, lifetime.AbortCount);
    }

    [Fact]
    public async Task OpenedStream_ThatHasEnded_CanBeAborted()
    {
        await using var host = await GlueHost.StartAsync();
        var channels = new GrpcChannels(TimeSpan.FromMinutes(1), GlueLimits.WindowBytes, GlueCompression.None);
        var tokens = new Glue.Authorization.TokenSource(null, allowInsecure: false);
        var stream =
            await new GrpcConnector(channels, tokens).OpenAsync(new Uri(host.Address), CancellationToken.None);
        await stream.DisposeAsync();
        stream.Abort();
        await stream.CompleteAsync();
    }

    private sealed class Lifetime : IHttpRequestLifetimeFeature
    {
        public int AbortCount { get; private set; }

        public CancellationToken RequestAborted { get; set; }

        public void Abort() => AbortCount++;
    }
}
