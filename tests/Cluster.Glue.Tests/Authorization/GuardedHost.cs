using Cluster.Testing;
using Microsoft.AspNetCore.Authentication;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Glue.Tests.Authorization;

/// <summary>How calls reach the guarded services.</summary>
public enum GuardedWay
{
    Link,
    Unary,
    InProcess,
    InProcessSerialized,
}

/// <summary>A server of guarded services with tokens, and clients of it over every way.</summary>
internal sealed class GuardedHost : IAsyncDisposable
{
    private static int _count;

    private readonly IHost _host;
    private readonly string _name;

    private GuardedHost(IHost host, string name)
    {
        _host = host;
        _name = name;
    }

    public string Address => _host.Services.GetRequiredService<GlueListener>().Address!;

    public Seen Seen => _host.Services.GetRequiredService<Seen>();

    public LogRecorder Log { get; private init; } = null!;

    public static async Task<GuardedHost> StartAsync(
        Action<GlueServerOptions>? configure = null,
        Action<GlueServerBuilder>? compose = null,
        GlueInProcessMode mode = GlueInProcessMode.ShareObjects)
    {
        var log = new LogRecorder();
        var name = $"guarded{Interlocked.Increment(ref _count)}";
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Services.AddSingleton(log.Factory);
        builder.Services.AddSingleton<Seen>();
        builder.Services.AddAuthentication("token")
            .AddScheme<AuthenticationSchemeOptions, TokenHandler>("token", null);
        builder.Services.AddAuthorization(options =>
        {
            options.AddPolicy("Slow", policy => policy.RequireAuthenticatedUser().RequireAssertion(async _ =>
            {
                await Task.Yield();
                return true;
            }));
            options.AddPolicy(
                "Broken",
                policy => policy.RequireAssertion(
                    bool (_) => throw new InvalidOperationException("the table of users cannot be read")));
        });
        var glue = builder.Services.AddGlueServer(options =>
        {
            options.ListenAddress = "http://127.0.0.1:0";
            options.InProcessName = name;
            options.InProcessMode = mode;
            options.ConfigureTypes = static types => types.AllowCallbacks<Parcel>();
            options.MaxQueueDelay = TimeSpan.FromMinutes(1);
            configure?.Invoke(options);
        });
        glue.AddService<IGuarded, Guarded>().AddService<IDerived, Derived>();
        compose?.Invoke(glue);
        var host = builder.Build();
        await host.StartAsync();
        return new GuardedHost(host, name) { Log = log };
    }

    public static Task<GuardedHost> StartAsync(GuardedWay way) => StartAsync(
        mode: way == GuardedWay.InProcessSerialized ? GlueInProcessMode.Serialize : GlueInProcessMode.ShareObjects);

    public string AddressOf(GuardedWay way) =>
        way is GuardedWay.Link or GuardedWay.Unary ? Address : $"inproc://{_name}";

    public T Connect<T>(GlueClient client, GuardedWay way)
        where T : class =>
        client.CreateProxy<T>(AddressOf(way));

    public static GlueClient CreateClient(
        GuardedWay way, string? token = null, Action<GlueClientOptions>? configure = null)
    {
        var options = new GlueClientOptions
        {
            Transport = way == GuardedWay.Unary ? GlueTransport.Unary : GlueTransport.Link,
            DefaultDeadline = TimeSpan.FromMinutes(1),
            ConnectTimeout = TimeSpan.FromMinutes(1),
            ConfigureTypes = static types => types.AllowCallbacks<Parcel>(),
        };
        if (token is not null)
            options.AccessTokenProvider = (_, _) => new ValueTask<string?>(token);
        configure?.Invoke(options);
        return new GlueClient(options);
    }

    public async ValueTask DisposeAsync()
    {
        await _host.StopAsync();
        _host.Dispose();
    }
}
