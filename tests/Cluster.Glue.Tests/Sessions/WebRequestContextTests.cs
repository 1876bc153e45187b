using Cluster.Glue.Tests.Substreams;
using Cluster.Testing;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>A link that a web application carries: its calls are not parts of the request that brought its stream,
/// whichever thread runs them.</summary>
public sealed class WebRequestContextTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);
    private static readonly AsyncLocal<string?> Request = new();

    /// <summary>Tells what a service sees of the request.</summary>
    public interface ISeeing
    {
        Task<string?> OnPoolAsync();

        Task<(bool IsOnReadLoop, string? Seen)> InlineAsync();
    }

    [Fact]
    public async Task Calls_DoNotSeeTheRequestOfTheirLink()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.ListenLocalhost(
            FreePorts.Next(), endpoint => endpoint.Protocols = HttpProtocols.Http2));
        builder.Services.AddGlueServer().AddService<ISeeing, Seeing>();
        await using var app = builder.Build();
        app.Use((_, next) =>
        {
            Request.Value = "request";
            return next();
        });
        app.MapGlue();
        await app.StartAsync();
        await using var client = new GlueClient();
        var seeing = client.CreateProxy<ISeeing>(app.Urls.First());
        Assert.Null(await seeing.OnPoolAsync());
        var seen = "nothing yet";
        await Eventually.TrueAsync(
            async () =>
            {
                (var isOnReadLoop, seen) = await seeing.InlineAsync();
                return isOnReadLoop;
            },
            Bound);
        Assert.Null(seen);
    }

    /// <summary>Without state.</summary>
    internal sealed class Seeing : ISeeing
    {
        public Task<string?> OnPoolAsync() => Task.FromResult(Request.Value);

        [RunInline]
        public Task<(bool IsOnReadLoop, string? Seen)> InlineAsync() =>
            Task.FromResult((ReadLoop.IsHere, Request.Value));
    }
}
