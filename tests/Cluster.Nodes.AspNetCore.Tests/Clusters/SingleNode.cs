using Cluster.Nodes.Hosting;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.AspNetCore.Tests.Clusters;

/// <summary>A cluster of one node without a web server, for tests of one class.</summary>
public abstract class SingleNode : IAsyncLifetime
{
    private IHost? _host;

    /// <summary>The container of the node.</summary>
    public IServiceProvider Services => _host!.Services;

    /// <summary>What the node has logged.</summary>
    public LogRecorder Logs { get; } = new();

    /// <summary>Adds what the tests use.</summary>
    protected abstract void Compose(ClusterBuilder cluster);

    public async Task InitializeAsync()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Logging.AddProvider(Logs.Provider).SetMinimumLevel(LogLevel.Information);
        var cluster = builder.AddCluster(options =>
        {
            options.Name = "web-single";
            options.PileBudgetBytes = 128 << 20;
            options.PartitionCount = 64;
        });
        cluster.UseInMemoryStore();
        Compose(cluster);
        _host = builder.Build();
        await _host.StartAsync();
    }

    public async Task DisposeAsync()
    {
        Logs.Allow(static _ => true);
        await ((IAsyncDisposable)_host!).DisposeAsync();
        Logs.Dispose();
    }
}
