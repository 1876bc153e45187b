using Cluster.Nodes.Hosting;
using Cluster.Testing;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.AspNetCore.Tests.Clusters;

/// <summary>A host that is the only node of its cluster, in this process alone. Disposal ends it.</summary>
internal sealed class OneNode : IAsyncDisposable
{
    /// <summary>The log event of a node that stops while no other node is active.</summary>
    private const int LeftBehind = 5006;

    private readonly IHost _host;

    private OneNode(IHost host, LogRecorder logs) => (_host, Logs) = (host, logs);

    public IServiceProvider Services => _host.Services;

    public LogRecorder Logs { get; }

    /// <summary>Starts a node.</summary>
    /// <param name="compose">Adds to the node before it is built.</param>
    /// <param name="services">Adds further services after that.</param>
    public static async Task<OneNode> StartAsync(
        Action<ClusterBuilder> compose, Action<IServiceCollection>? services = null)
    {
        var logs = new LogRecorder();
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Logging.AddProvider(logs.Provider).SetMinimumLevel(LogLevel.Information);
        compose(builder
            .AddCluster(static options => (options.Name, options.PileBudgetBytes) = ("one", 64 << 20))
            .UseInMemoryStore());
        services?.Invoke(builder.Services);
        var host = builder.Build();
        await host.StartAsync();
        return new OneNode(host, logs);
    }

    public IDistributedCache Cache(string name) => Services.GetRequiredKeyedService<IDistributedCache>(name);

    public async ValueTask DisposeAsync()
    {
        // Each second a node asks itself for its status. Kestrel would log an error if the question came during the
        // disposal of a host that was not stopped.
        Logs.Allow(LeftBehind);
        await _host.StopAsync();
        await ((IAsyncDisposable)_host).DisposeAsync();
        Logs.Dispose();
    }
}
