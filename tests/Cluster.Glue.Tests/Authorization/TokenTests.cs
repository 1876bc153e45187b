using System.Security.Claims;
using Cluster.Glue.Transport;
using Cluster.Testing;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Tests.Authorization;

/// <summary>Where tokens come from, where they go, and when they end.</summary>
[Trait("Case", "transport-7")]
[Collection(nameof(Parcel))]
public sealed class TokenTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    public static TheoryData<GuardedWay> NetworkWays() => new(GuardedWay.Link, GuardedWay.Unary);

    /// <summary>A host name that is no loopback address: nothing is asked of anybody, and nothing is sent.</summary>
    [Theory]
    [MemberData(nameof(NetworkWays))]
    public async Task Token_IsNotSent_WhereOthersReadIt_UnlessThatIsWrittenOut(GuardedWay way)
    {
        var asked = 0;
        await using var careful = GuardedHost.CreateClient(way, configure: options =>
            options.AccessTokenProvider = (_, _) =>
            {
                asked++;
                return new ValueTask<string?>("secret");
            });
        var failure = await FailAsync(
            () => careful.CreateProxy<IGuarded>("http://192.0.2.1:9").NameAsync());
        CheckInsecure(failure);
        Assert.Equal(0, asked);
        await using var plain = GuardedHost.CreateClient(way);
        using (GlueCall.WithBearerToken("secret"))
            CheckInsecure(await FailAsync(() => plain.CreateProxy<IGuarded>("http://192.0.2.1:9").NameAsync()));

        await using var daring = GuardedHost.CreateClient(
            way,
            configure: options =>
            {
                options.AllowInsecure = true;
                options.ConnectTimeout = TimeSpan.FromMilliseconds(10);
                options.AccessTokenProvider = (_, _) =>
                {
                    asked++;
                    return new ValueTask<string?>("secret");
                };
            });
        await FailAsync(() => daring.CreateProxy<IGuarded>("http://192.0.2.1:9").NameAsync());
        Assert.True(asked > 0);

        static void CheckInsecure(GlueException failure)
        {
            Assert.Equal((GlueErrorCode.NotAuthenticated, GlueDelivery.NotDelivered), (failure.Code, failure.Delivery));
            Assert.Contains("GlueClientOptions.AllowInsecure", failure.Message, StringComparison.Ordinal);
            Assert.DoesNotContain("secret", failure.Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("two words")]
    [InlineData("line\r\nbreak: x")]
    public async Task Text_ThatIsNoToken_IsRefused_AndNotTold(string text)
    {
        var failure = Assert.Throws<ArgumentException>(() => GlueCall.WithBearerToken(text));
        Assert.DoesNotContain("break", failure.Message, StringComparison.Ordinal);
        await using var host = await GuardedHost.StartAsync();
        foreach (var way in Enum.GetValues<GuardedWay>())
        {
            await using var client = GuardedHost.CreateClient(way, text);
            var refused = await FailAsync(() => host.Connect<IGuarded>(client, way).NameAsync());
            Assert.Equal(GlueErrorCode.NotAuthenticated, refused.Code);
            Assert.Contains("AccessTokenProvider", refused.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task ProviderThatFails_FailsTheCall()
    {
        await using var host = await GuardedHost.StartAsync();
        foreach (var way in Enum.GetValues<GuardedWay>())
        {
            await using var client = GuardedHost.CreateClient(way, configure: options =>
                options.AccessTokenProvider = (_, _) => throw new InvalidOperationException("no login"));
            var failure = await FailAsync(() => host.Connect<IGuarded>(client, way).NameAsync());
            Assert.Equal((GlueErrorCode.NotAuthenticated, GlueDelivery.NotDelivered), (failure.Code, failure.Delivery));
            Assert.Contains("no login", failure.Message, StringComparison.Ordinal);
        }
    }

    /// <summary>Before the token of a link ends, the client opens another link with the next token.</summary>
    [Fact]
    public async Task Link_IsReplaced_BeforeItsTokenEnds()
    {
        var time = new ManualTimeProvider(TimeProvider.System.GetUtcNow());
        await using var host = await StartAsync(time);
        await using var client = GuardedHost.CreateClient(GuardedWay.Link, configure: options =>
            options.AccessTokenProvider = (_, _) => new ValueTask<string?>(
                TokenHandler.Of("ada", expires: time.GetUtcNow().AddMinutes(5))));
        var guarded = host.Connect<IGuarded>(client, GuardedWay.Link);
        for (var round = 0; round < 3; round++)
        {
            Assert.Equal("ada", await guarded.NameAsync().WaitAsync(Bound));
            var link = client.Links.Single();
            time.Advance(TimeSpan.FromMinutes(4));
            Assert.Equal("ada", await guarded.NameAsync().WaitAsync(Bound));
            Assert.Same(link, client.Links.Single());
            time.Advance(TimeSpan.FromSeconds(45));
            await Eventually.TrueAsync(() => !link.IsOpen, Bound);
            Assert.Equal("ada", await guarded.NameAsync().WaitAsync(Bound));
            Assert.NotSame(link, client.Links.Single());
            await link.Ended.WaitAsync(Bound);
        }
    }

    /// <summary>A link whose client gives it no fresh token is refused from that moment on.</summary>
    [Fact]
    public async Task Call_OverALinkWhoseTokenHasEnded_IsRefused()
    {
        var time = new ManualTimeProvider(TimeProvider.System.GetUtcNow());
        await using var host = await StartAsync(time);
        // Too short to be renewed.
        var token = TokenHandler.Of("ada", expires: time.GetUtcNow().AddSeconds(2));
        await using var client = GuardedHost.CreateClient(GuardedWay.Link, token);
        var guarded = host.Connect<IGuarded>(client, GuardedWay.Link);
        Assert.Equal("ada", await guarded.NameAsync().WaitAsync(Bound));
        Assert.Equal("ada", await guarded.NameAsync().WaitAsync(Bound));
        time.Advance(TimeSpan.FromSeconds(3));
        var failure = await FailAsync(guarded.NameAsync);
        Assert.Equal(GlueErrorCode.NotAuthenticated, failure.Code);
        Assert.Contains("has expired", failure.Message, StringComparison.Ordinal);
    }

    /// <summary>A further stream of a link that shows another user does not join, and inherits nobody.</summary>
    [Fact]
    public async Task Stream_OfAnotherUser_DoesNotJoinALink()
    {
        await using var host = await GuardedHost.StartAsync();
        host.Log.Allow(1005, 1013);
        var user = "ada";
        await using var client = GuardedHost.CreateClient(GuardedWay.Link, configure: options =>
        {
            options.AccessTokenProvider = (_, _) => new ValueTask<string?>(TokenHandler.Of(user));
            options.WrapConnector = inner => new CuttingConnector(inner);
        });
        var guarded = host.Connect<IGuarded>(client, GuardedWay.Link);
        Assert.Equal("ada", await guarded.NameAsync().WaitAsync(Bound));
        var first = client.Links.Single();
        user = "eve";
        CuttingConnector.CutAll();
        await first.Ended.WaitAsync(Bound);
        Assert.Contains("another user", first.EndCause!.Message, StringComparison.Ordinal);
        Assert.Equal("eve", await guarded.NameAsync().WaitAsync(Bound));
    }

    /// <summary>The user of the application's own middleware counts, whatever found out about it.</summary>
    [Theory]
    [MemberData(nameof(NetworkWays))]
    public async Task MappedServer_TakesTheUserOfTheApplication(GuardedWay way)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(
            IPAddress.Loopback, 0, endpoint => endpoint.Protocols = HttpProtocols.Http2));
        builder.Services.AddSingleton<Seen>();
        builder.Services.AddAuthorization(options =>
        {
            options.AddPolicy("Slow", policy => policy.RequireAuthenticatedUser());
            options.AddPolicy("Broken", policy => policy.RequireAuthenticatedUser());
        });
        builder.Services.AddGlueServer().AddService<IGuarded, Guarded>();
        await using var app = builder.Build();
        app.Use((context, next) =>
        {
            if (context.Request.Headers.Authorization == "Bearer app")
                context.User = new ClaimsPrincipal(new ClaimsIdentity([new Claim(ClaimTypes.Name, "known")], "app"));
            return next(context);
        });
        app.MapGlue();
        await app.StartAsync();
        await using var known = GuardedHost.CreateClient(way, "app");
        Assert.Equal("known", await known.CreateProxy<IGuarded>(app.Urls.First()).NameAsync().WaitAsync(Bound));
        await using var stranger = GuardedHost.CreateClient(way, "other");
        var failure = await FailAsync(() => stranger.CreateProxy<IGuarded>(app.Urls.First()).NameAsync());
        Assert.Equal(GlueErrorCode.NotAuthenticated, failure.Code);
    }

    /// <summary>Other services on the listener are guarded by the same services of the host.</summary>
    [Fact]
    public async Task OtherEndpoints_OfTheListener_AreGuardedToo()
    {
        await using var host = await GuardedHost.StartAsync(compose: glue => glue.MapEndpoints(
            endpoints => endpoints.MapGet("/closed", () => "in").RequireAuthorization()));
        using var http = new HttpClient
        {
            DefaultRequestVersion = HttpVersion.Version20,
            DefaultVersionPolicy = HttpVersionPolicy.RequestVersionExact,
        };
        var address = new Uri($"{host.Address}/closed");
        using var refused = await http.GetAsync(address).WaitAsync(Bound);
        Assert.Equal(HttpStatusCode.Unauthorized, refused.StatusCode);
        http.DefaultRequestHeaders.Authorization = new("Bearer", TokenHandler.Of("ada"));
        Assert.Equal("in", await http.GetStringAsync(address).WaitAsync(Bound));
    }

    private static Task<GuardedHost> StartAsync(ManualTimeProvider time) => GuardedHost.StartAsync(
        options =>
        {
            options.TimeProvider = time;
            // The clock jumps. Nobody is to be taken for dead, and a new link may still open its streams.
            options.HeartbeatInterval = TimeSpan.FromMinutes(10);
            options.ResumeWindow = TimeSpan.FromMinutes(10);
        },
        glue => glue.Services.Configure<AuthenticationSchemeOptions>("token", options => options.TimeProvider = time));

    private static async Task<GlueException> FailAsync(Func<Task> call) =>
        await Assert.ThrowsAsync<GlueException>(call).WaitAsync(Bound);

    /// <summary>Remembers the streams that it opens, and cuts them when told to.</summary>
    private sealed class CuttingConnector(IMessageConnector inner) : IMessageConnector
    {
        private static readonly System.Collections.Concurrent.ConcurrentQueue<IMessageStream> Streams = new();

        public static void CutAll()
        {
            while (Streams.TryDequeue(out var stream))
                stream.Abort();
        }

        public async ValueTask<IMessageStream> OpenAsync(Uri address, CancellationToken cancellationToken)
        {
            var stream = await inner.OpenAsync(address, cancellationToken);
            Streams.Enqueue(stream);
            return stream;
        }
    }
}
