using Cluster.Glue.Tests.Wire;
using Cluster.Glue.Wire;
using Cluster.Testing;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Tests.Channels;

/// <summary>Peers that break off where Glue is mapped into an application. Its middleware writes what escapes an
/// endpoint as an unhandled error, unless the request counts as aborted. Kestrel fails the body of a request first, and
/// cancels the token of the request on a thread of the pool: code that asks only the token lets the failure escape now
/// and then.</summary>
public sealed class MappedResetTests : IDisposable
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly LogRecorder _logs = new();

    public void Dispose() => _logs.Dispose();

    [Theory]
    [Trait("Case", "repair-B4")]
    [InlineData(GlueWire.CallPath)]
    [InlineData(RawGrpc.LinkPath)]
    public async Task ConnectionReset_BeforeTheRequestCountsAsAborted_IsNoUnhandledError(string path)
    {
        var ended = new TaskCompletionSource<LateLifetime>(TaskCreationOptions.RunContinuationsAsynchronously);
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders().AddProvider(_logs.Provider);
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(
            System.Net.IPAddress.Loopback, 0, endpoint => endpoint.Protocols = HttpProtocols.Http2));
        builder.Services.AddGlueServer().AddService<IRuns, Runs>();
        await using var app = builder.Build();
        app.UseDeveloperExceptionPage();
        app.Use(async (context, next) =>
        {
            var late = new LateLifetime(context.Features.GetRequiredFeature<IHttpRequestLifetimeFeature>());
            context.Features.Set<IHttpRequestLifetimeFeature>(late);
            try
            {
                await next(context);
            }
            finally
            {
                if (context.Request.Path == path)
                    ended.TrySetResult(late);
            }
        });
        app.MapGlue();
        await app.StartAsync();
        Assert.DoesNotContain(_logs.Entries, entry => entry.Level >= LogLevel.Warning);
        await ResetRequest.SendAsync(new Uri(app.Urls.First() + path));
        var seen = await ended.Task.WaitAsync(Bound);
        await app.StopAsync();
        Assert.True(seen.IsEndedByGlue);
    }

    /// <summary>A request whose token is never cancelled: the pool is busy for longer than the request lives.</summary>
    private sealed class LateLifetime(IHttpRequestLifetimeFeature inner) : IHttpRequestLifetimeFeature
    {
        private int _isEndedByGlue;

        public bool IsEndedByGlue => Volatile.Read(ref _isEndedByGlue) == 1;

        public CancellationToken RequestAborted { get; set; } = CancellationToken.None;

        public void Abort()
        {
            Volatile.Write(ref _isEndedByGlue, 1);
            inner.Abort();
        }
    }
}
