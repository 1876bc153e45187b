using Cluster.Glue;
using Cluster.StateStore;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Nodes.Tests.Clusters;

/// <summary>One host of a test. The host is built at the first use, so that a test can add services before.</summary>
internal sealed class TestNode(string name, HostApplicationBuilder builder, ClusterBuilder cluster) : IAsyncDisposable
{
    private readonly Lazy<IHost> _host = new(builder.Build);
    private bool _isDisposed;

    internal string Name { get; } = name;

    internal IHost Host => _host.Value;

    internal ICluster Cluster => Host.Services.GetRequiredService<ICluster>();

    internal IPartitionedState<string, Tally> Tallies => Host.Services.GetRequiredService<IPartitionedState<string, Tally>>();

    internal IGreeter Greeter => Host.Services.GetRequiredService<IGreeter>();

    internal TestNode OfferGreeter()
    {
        builder.Services.AddSingleton(new GreeterName(Name));
        cluster.AddService<IGreeter, Greeter>(GlueInstanceMode.Singleton);
        return this;
    }

    internal TestNode AddState<TValue>(string state, Action<StateOptions<string, TValue>> configure)
    {
        cluster.AddState(state, configure);
        return this;
    }

    internal async Task<TestNode> StartAsync()
    {
        await Host.StartAsync();
        return this;
    }

    /// <summary>Stops as a process does on SIGTERM: partitions are handed over first.</summary>
    internal Task StopAsync() => Host.StopAsync();

    public async ValueTask DisposeAsync()
    {
        if (_isDisposed || !_host.IsValueCreated) return;
        _isDisposed = true;
        await ((IAsyncDisposable)Host).DisposeAsync();
    }
}
