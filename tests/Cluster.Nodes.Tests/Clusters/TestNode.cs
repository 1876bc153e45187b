using Cluster.Glue;
using Cluster.Glue.Tls;
using Cluster.Nodes.Hosting;
using Cluster.Nodes.Members;
using Cluster.Nodes.Watching;
using Cluster.StateStore;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;

namespace Cluster.Nodes.Tests.Clusters;

/// <summary>One host of a test. The host is built at the first use, so that a test can add services before.</summary>
internal sealed class TestNode(string name, HostApplicationBuilder builder, ClusterBuilder cluster) : IAsyncDisposable
{
    private readonly Lazy<IHost> _host = new(builder.Build);
    private bool _isDisposed;

    public string Name { get; } = name;

    /// <summary>What the exit code of a process with this node alone would be.</summary>
    public int ExitCode { get; set; }

    public IHost Host => _host.Value;

    public ICluster Cluster => Host.Services.GetRequiredService<ICluster>();

    public IPartitionedState<string, Tally> Tallies =>
        Host.Services.GetRequiredService<IPartitionedState<string, Tally>>();

    public IGreeter Greeter => Host.Services.GetRequiredService<IGreeter>();

    public TestNode OfferGreeter()
    {
        builder.Services.AddSingleton(new GreeterName(Name));
        cluster.AddService<IGreeter, Greeter>(GlueInstanceMode.Singleton);
        return this;
    }

    /// <summary>Offers a gRPC service that answers with the name of its node.</summary>
    public TestNode OfferGrpcGreeter()
    {
        builder.Services.AddSingleton(new GreeterName(Name));
        cluster.AddGrpcService<Routing.GrpcGreeter>("tests.v1.NodeGreeter");
        return this;
    }

    public TestNode AddState<TValue>(string state, Action<StateOptions<string, TValue>> configure)
    {
        cluster.AddState(state, configure);
        return this;
    }

    /// <summary>Lets the node listen beyond loopback.</summary>
    public TestNode AllowInsecure()
    {
        builder.Services.Configure<GlueServerOptions>(options => options.AllowInsecure = true);
        return this;
    }

    /// <summary>Shows this certificate to nodes and clients, and asks them for one.</summary>
    public TestNode UseTls(GlueTlsOptions tls)
    {
        builder.Services.Configure<GlueServerOptions>(options => options.Tls = tls);
        builder.Services.Configure<GlueClientOptions>(options => options.Tls = tls);
        return this;
    }

    /// <summary>Gives the node a clock of its own.</summary>
    public TestNode UseClock(TimeProvider clock)
    {
        builder.Services.Replace(ServiceDescriptor.Singleton(clock));
        return this;
    }

    /// <summary>The newest table that this node knows.</summary>
    public ClusterTable Table => Host.Services.GetRequiredService<ITableView>().Current;

    public bool IsCoordinator =>
        Host.Services.GetRequiredService<CurrentMemberRole>().Current!.Coordinator.IsCoordinator;

    /// <summary>How many entries all nodes hold, as this node has counted them last.</summary>
    public long CountedEntries => Host.Services.GetRequiredService<PartitionCounts>().Last.Values.Sum();

    /// <summary>How many entries this node holds itself.</summary>
    public long OwnEntries =>
        Host.Services.GetRequiredService<CurrentMemberRole>().Current!.Store.CountEntries().Values.Sum();

    public async Task<TestNode> StartAsync()
    {
        await Host.StartAsync();
        return this;
    }

    /// <summary>Stops as a process does on SIGTERM: partitions are handed over first.</summary>
    public Task StopAsync() => Host.StopAsync();

    public async ValueTask DisposeAsync()
    {
        if (_isDisposed || !_host.IsValueCreated)
            return;
        _isDisposed = true;
        await ((IAsyncDisposable)Host).DisposeAsync();
    }
}
