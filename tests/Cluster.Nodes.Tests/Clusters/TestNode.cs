using Cluster.Glue;
using Cluster.Glue.Tls;
using Cluster.Nodes.Hosting;
using Cluster.Nodes.Members;
using Cluster.Nodes.Watching;
using Cluster.StateStore;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Nodes.Tests.Clusters;

/// <summary>One node of a test with its host. The host is built at its first use, so that a test can add services
/// before.</summary>
internal sealed class TestNode(string name, HostApplicationBuilder builder, ClusterBuilder cluster) : IAsyncDisposable
{
    private readonly Lazy<IHost> _host = new(builder.Build);
    private bool _isDisposed;

    public string Name { get; } = name;

    /// <summary>The exit code that the process would have if it ran only this node.</summary>
    public int ExitCode { get; set; }

    public IHost Host => _host.Value;

    public ICluster Cluster => Host.Services.GetRequiredService<ICluster>();

    public IPartitionedState<string, Tally> Tallies =>
        Host.Services.GetRequiredService<IPartitionedState<string, Tally>>();

    public IGreeter Greeter => Host.Services.GetRequiredService<IGreeter>();

    public IClusterClient<IGreeter> Greeters => Host.Services.GetRequiredService<IClusterClient<IGreeter>>();

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

    /// <summary>Lets the node listen on addresses other than loopback.</summary>
    public TestNode AllowInsecure()
    {
        builder.Services.Configure<GlueServerOptions>(options => options.AllowInsecure = true);
        return this;
    }

    /// <summary>Lets the node show its certificate to nodes and clients, and ask them for one.</summary>
    public TestNode UseTls(GlueTlsOptions tls)
    {
        builder.Services.Configure<GlueServerOptions>(options => options.Tls = tls);
        builder.Services.Configure<GlueClientOptions>(options => options.Tls = tls);
        return this;
    }

    public ClusterTable Table => Host.Services.GetRequiredService<ITableView>().Current;

    public bool IsCoordinator =>
        Host.Services.GetRequiredService<CurrentMemberRole>().Current!.Lease.IsHeld;

    /// <summary>The number of entries of all nodes, from this node's last count.</summary>
    public long CountedEntries => Host.Services.GetRequiredService<PartitionCounts>().Last.Values.Sum();

    /// <summary>The store of this node, while it is a member.</summary>
    public NodeStateStore Store => Host.Services.GetRequiredService<CurrentMemberRole>().Current!.Store;

    /// <summary>What the store of this node does now.</summary>
    public StoreStatistics Statistics => Store.Describe();

    /// <summary>The number of entries of this node.</summary>
    public long OwnEntries => Store.CountEntries().Values.Sum();

    public async Task<TestNode> StartAsync()
    {
        await Host.StartAsync();
        return this;
    }

    /// <summary>Stops the node as SIGTERM does: it hands its partitions over first.</summary>
    public Task StopAsync() => Host.StopAsync();

    public async ValueTask DisposeAsync()
    {
        if (_isDisposed || !_host.IsValueCreated)
            return;
        _isDisposed = true;
        await ((IAsyncDisposable)Host).DisposeAsync();
    }
}
