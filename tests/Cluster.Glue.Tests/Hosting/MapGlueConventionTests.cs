using System.Threading.RateLimiting;
using Cluster.Glue.Tests.Channels;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Tests.Hosting;

/// <summary>What is chained to <c>MapGlue</c> holds for links and for requests of their own.</summary>
[Trait("Case", "repair-D")]
public sealed class MapGlueConventionTests
{
    private const int Unauthenticated = 16;
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    [Theory]
    [InlineData(GlueTransport.Unary)]
    [InlineData(GlueTransport.Link)]
    public async Task Authorization_RefusesWhomItDoesNotKnow(GlueTransport transport)
    {
        await using var app = await StartAsync(
            glue => glue.RequireAuthorization(policy => policy.RequireAuthenticatedUser()));
        var failure = await FailAsync(app, transport, "127.0.0.1");
        if (transport == GlueTransport.Unary)
            Assert.Equal((GlueErrorKind.Refused, Unauthenticated), (failure.Kind, failure.GrpcStatus));
        else
            Assert.Contains("HTTP 401", failure.Message, StringComparison.Ordinal);
        Assert.Equal(0, app.Services.GetRequiredService<Runs>().AddCount);
    }

    [Theory]
    [InlineData(GlueTransport.Unary)]
    [InlineData(GlueTransport.Link)]
    public async Task Host_LetsItsOwnCallersIn(GlueTransport transport)
    {
        await using var app = await StartAsync(glue => glue.RequireHost("localhost"));
        Assert.Equal(1, await CallAsync(app, transport, "localhost"));
        await FailAsync(app, transport, "127.0.0.1");
        Assert.Equal(1, app.Services.GetRequiredService<Runs>().AddCount);
    }

    [Theory]
    [InlineData(GlueTransport.Unary)]
    [InlineData(GlueTransport.Link)]
    public async Task RateLimit_RefusesWhatItDoesNotPermit(GlueTransport transport)
    {
        await using var app = await StartAsync(glue => glue.RequireRateLimiting("none"));
        var failure = await FailAsync(app, transport, "127.0.0.1");
        Assert.Contains("429", failure.Message, StringComparison.Ordinal);
        Assert.Equal(0, app.Services.GetRequiredService<Runs>().AddCount);
    }

    [Fact]
    public async Task NameAndMetadata_AreThoseOfTheEndpoint()
    {
        await using var app = await StartAsync(glue => glue.WithDisplayName("calls").WithMetadata(this));
        Endpoint[] endpoints = [.. app.Services.GetRequiredService<EndpointDataSource>().Endpoints];
        endpoints = [.. endpoints.Where(one => one.Metadata.Contains(this))];
        Assert.NotEmpty(endpoints);
        Assert.All(endpoints, one => Assert.Equal("calls", one.DisplayName));
    }

    private static async Task<WebApplication> StartAsync(Action<IEndpointConventionBuilder> convene)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(
            IPAddress.Loopback, 0, endpoint => endpoint.Protocols = HttpProtocols.Http2));
        builder.Services.AddAuthentication("none").AddScheme<AuthenticationSchemeOptions, NobodyHandler>("none", null);
        builder.Services.AddAuthorization();
        builder.Services.AddRateLimiter(limiter =>
        {
            limiter.RejectionStatusCode = StatusCodes.Status429TooManyRequests;
            limiter.AddPolicy("none", _ => RateLimitPartition.Get(string.Empty, _ => new NoPermits()));
        });
        builder.Services.AddSingleton<Runs>();
        builder.Services.AddGlueServer().AddService<IRuns, Runs>(GlueInstanceMode.Singleton);
        var app = builder.Build();
        app.UseAuthentication();
        app.UseAuthorization();
        app.UseRateLimiter();
        convene(app.MapGlue());
        await app.StartAsync();
        return app;
    }

    private static async Task<GlueException> FailAsync(WebApplication app, GlueTransport transport, string host) =>
        await Assert.ThrowsAsync<GlueException>(() => CallAsync(app, transport, host));

    private static async Task<int> CallAsync(WebApplication app, GlueTransport transport, string host)
    {
        await using var client = new GlueClient(new GlueClientOptions { Transport = transport });
        var address = new UriBuilder(app.Urls.First()) { Host = host };
        return await client.CreateProxy<IRuns>(address.Uri.ToString().TrimEnd('/')).AddAsync().WaitAsync(Bound);
    }
}
