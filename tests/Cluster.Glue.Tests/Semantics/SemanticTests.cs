using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Semantics;

/// <summary>One server and one client for each test of the semantic suite; classes that inherit say how they
/// connect.</summary>
public abstract class SemanticTests(SemanticBinding binding) : IAsyncLifetime, IAsyncDisposable
{
    private GlueHost _host = null!;
    private GlueClient _client = null!;

    /// <summary>How the two connect.</summary>
    protected SemanticBinding Binding { get; } = binding;

    private protected GlueHost Server => _host;

    private protected GlueClient Client => _client;

    private protected Observations Seen => _host.Services.GetRequiredService<Observations>();

    /// <summary>Longer than any busy machine takes for a call.</summary>
    protected static TimeSpan DefaultDeadline { get; } = TimeSpan.FromMinutes(1);

    /// <summary>The clock of both sides.</summary>
    protected virtual TimeProvider Time => TimeProvider.System;

    /// <summary>The address by which clients reach the server.</summary>
    private protected string Target => Binding.TargetOf(_host.Address);

    public async Task InitializeAsync()
    {
        _host = await GlueHost.StartAsync(options =>
        {
            options.TimeProvider = Time;
            ConfigureServer(options);
            Binding.Configure(options);
        }, AddServices);
        _client = NewClient();
    }

    Task IAsyncLifetime.DisposeAsync() => DisposeAsync().AsTask();

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        LetGo();
        await _host.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    /// <summary>Ends calls that the test has held up: a server that stops waits for them.</summary>
    private protected virtual void LetGo() => _host.Services.GetService<Observations>()?.End.TrySetResult();

    /// <summary>The services of the test's server.</summary>
    private protected virtual void AddServices(GlueServerBuilder glue) => GlueHost.AddSemanticServices(glue);

    public virtual void ConfigureServer(GlueServerOptions options) => ArgumentNullException.ThrowIfNull(options);

    public virtual void ConfigureClient(GlueClientOptions options) => ArgumentNullException.ThrowIfNull(options);

    private protected T Proxy<T>(GlueProxyOptions? options = null)
        where T : class =>
        _client.CreateProxy<T>(Target, options);

    /// <summary>A client like that of the test, for the test to dispose.</summary>
    private protected GlueClient NewClient()
    {
        var options = new GlueClientOptions
        {
            TimeProvider = Time,
            DefaultDeadline = DefaultDeadline,
            ConnectTimeout = DefaultDeadline,
            ResumeWindow = DefaultDeadline,
            ConfigureTypes = GlueHost.AllowTypes,
            MaxMessageBytes = 1024 * 1024,
            MaxBlockingCalls = 64,
            MeterFactory = _host.Services.GetRequiredService<IMeterFactory>(),
        };
        ConfigureForTest(options);
        return new GlueClient(options);
    }

    /// <summary>What the suite and the binding ask of a client.</summary>
    private protected void ConfigureForTest(GlueClientOptions options)
    {
        ConfigureClient(options);
        Binding.Configure(options);
    }
}
