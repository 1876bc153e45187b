using System.Diagnostics.Metrics;
using Cluster.Glue.Tests.Semantics;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Observation;

/// <summary>A server of <see cref="ITraced"/> and a client of it.</summary>
internal sealed class TracedHost : IAsyncDisposable
{
    private static readonly TimeSpan Deadline = TimeSpan.FromMinutes(1);

    private readonly SemanticBinding _binding;
    private readonly GlueHost _host;

    private TracedHost(SemanticBinding binding, GlueHost host)
    {
        (_binding, _host) = (binding, host);
        Client = Connect();
    }

    public string Address => _binding.TargetOf(_host.Address);

    public TracedTarget Target => _host.Services.GetRequiredService<TracedTarget>();

    public IMeterFactory Meters => _host.Services.GetRequiredService<IMeterFactory>();

    public GlueClient Client { get; }

    public ITraced Proxy => Client.CreateProxy<ITraced>(Address);

    public static async Task<TracedHost> StartAsync(string binding)
    {
        var way = SemanticBinding.Of(binding);
        var host = await GlueHost.StartAsync(way.Configure, glue =>
        {
            glue.Services.AddSingleton<TracedTarget>();
            glue.AddService<ITraced, Traced>();
        });
        return new TracedHost(way, host);
    }

    public GlueClient Connect(Action<GlueClientOptions>? configure = null)
    {
        var options = new GlueClientOptions
        {
            DefaultDeadline = Deadline,
            ConnectTimeout = Deadline,
            ConfigureTypes = GlueHost.AllowTypes,
            MeterFactory = Meters,
        };
        _binding.Configure(options);
        configure?.Invoke(options);
        return new GlueClient(options);
    }

    public async ValueTask DisposeAsync()
    {
        await Client.DisposeAsync();
        await _host.DisposeAsync();
    }
}
