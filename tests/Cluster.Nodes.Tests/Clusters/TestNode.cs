using Cluster.Glue;
using Cluster.Nodes.Lifecycle;
using Cluster.Nodes.Status;
using Cluster.StateStore;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;

namespace Cluster.Nodes.Tests.Clusters;

/// <summary>One host of a test. The host is built at the first use, so that a test can add services before.</summary>
internal sealed class TestNode(string name, HostApplicationBuilder builder, ClusterBuilder cluster) : IAsyncDisposable
{
    private readonly Lazy<IHost> _host = new(builder.Build);
    private bool _isDisposed;

    internal string Name { get; } = name;

    /// <summary>What the exit code of a process with this node alone would be.</summary>
    internal int ExitCode { get; set; }

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

    /// <summary>Offers a gRPC service that answers with the name of its node.</summary>
    internal TestNode OfferGrpcGreeter()
    {
        builder.Services.AddSingleton(new GreeterName(Name));
        cluster.AddGrpcService<Routing.GrpcGreeter>("tests.v1.NodeGreeter");
        return this;
    }

    internal TestNode AddState<TValue>(string state, Action<StateOptions<string, TValue>> configure)
    {
        cluster.AddState(state, configure);
        return this;
    }

    /// <summary>Lets the node listen beyond loopback.</summary>
    internal TestNode AllowInsecure()
    {
        builder.Services.Configure<GlueServerOptions>(options => options.AllowInsecure = true);
        return this;
    }

    /// <summary>Shows this certificate to nodes and clients, and asks them for one.</summary>
    internal TestNode UseTls(GlueTlsOptions tls)
    {
        builder.Services.Configure<GlueServerOptions>(options => options.Tls = tls);
        builder.Services.Configure<GlueClientOptions>(options => options.Tls = tls);
        return this;
    }

    /// <summary>Gives the node a clock of its own.</summary>
    internal TestNode UseClock(TimeProvider clock)
    {
        builder.Services.Replace(ServiceDescriptor.Singleton(clock));
        return this;
    }

    internal bool IsCoordinator => Host.Services.GetRequiredService<MemberDutiesHolder>().Current!.Coordinator.IsCoordinator;

    /// <summary>How many entries all nodes hold, as this node has counted them last.</summary>
    internal long CountedEntries => Host.Services.GetRequiredService<NodeStatusBoard>().LastCounts.Values.Sum();

    /// <summary>How many entries this node holds itself.</summary>
    internal long OwnEntries => Host.Services.GetRequiredService<MemberDutiesHolder>().Current!.Store.CountEntries().Values.Sum();

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
