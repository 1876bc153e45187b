using System.Diagnostics.Metrics;
using Cluster.Glue;
using Cluster.Nodes.Beacons;
using Cluster.Nodes.Clocks;
using Cluster.Nodes.Configuration;
using Cluster.Nodes.Coordination;
using Cluster.Nodes.Deltas;
using Cluster.Nodes.Lifecycle;
using Cluster.Nodes.Liveness;
using Cluster.Nodes.Loops;
using Cluster.Nodes.Members;
using Cluster.Nodes.Recovery;
using Cluster.Nodes.Routing;
using Cluster.Nodes.Status;
using Cluster.Nodes.Stores;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;
using Grpc.AspNetCore.HealthChecks;
using Grpc.Net.Client.Balancer;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Cluster.Nodes.Hosting;

/// <summary>The one place where a node is put together from its parts. Stateless.</summary>
internal static class ClusterServices
{
    public static ClusterBuilder Add(
        IServiceCollection services, IConfiguration configuration, Action<ClusterOptions>? configure)
    {
        ProcessExit.ArmForStartFailures();
        var composition = new ClusterComposition();
        services.AddSingleton(composition);
        AddOptions(services, configuration, configure);
        AddIdentity(services);
        AddStore(services);
        AddWatching(services);
        AddMember(services);
        var glue = AddGlue(services);
        AddLifecycle(services);

        // Extensions of other builders of the host find the cluster here.
        var builder = new ClusterBuilder(services, composition, glue);
        services.AddSingleton(builder);
        return builder;
    }

    private static void AddOptions(
        IServiceCollection services, IConfiguration configuration, Action<ClusterOptions>? configure)
    {
        services.AddSingleton<BindingProblems>();
        services.AddSingleton<IValidateOptions<ClusterOptions>, ClusterOptionsValidator>();
        services.AddSingleton<IConfigureOptions<ClusterOptions>>(
            provider => new ClusterOptionsBinder(configuration, provider.GetRequiredService<BindingProblems>()));
        if (configure is not null)
            services.Configure(configure);
        services.AddSingleton(
            provider => ClusterSettings.Read(provider.GetRequiredService<IOptions<ClusterOptions>>()));
    }

    private static void AddIdentity(IServiceCollection services)
    {
        services.TryAddSingleton(TimeProvider.System);
        services.AddSingleton(provider =>
            new NodeIdentity(NodeId.NewIncarnation(provider.GetRequiredService<ClusterSettings>().NodeName)));
        services.AddSingleton(provider =>
        {
            var role = provider.GetRequiredService<ClusterSettings>().Role;
            NodeId? self = role == ClusterRole.Node ? provider.GetRequiredService<NodeIdentity>().Node : null;
            return new TableView(self, ClusterTable.CreateEmpty(1) with { Version = 0 });
        });
        services.AddSingleton<ITableView>(provider => provider.GetRequiredService<TableView>());
        services.AddSingleton<LoopContext>();
        services.AddSingleton<NodeClock>();
    }

    private static void AddStore(IServiceCollection services)
    {
        services.AddSingleton<IClusterStore>(StoreFactory.OpenInMemoryStore);
        services.AddSingleton(provider => PeerTrust.Find(
            provider.GetRequiredService<ClusterSettings>(),
            provider.GetRequiredService<ClusterComposition>().SecretOrigin,
            provider.GetRequiredService<IClusterStore>));
        services.AddSingleton<RecentTables>();
        services.AddSingleton(CreateDeltaClient);
        services.AddSingleton<ConfirmedTable>();
        services.AddSingleton<LivenessProbe>();
        services.AddSingleton<FailureDetector>();
        services.AddSingleton<BeaconExchange>();
    }

    private static void AddWatching(IServiceCollection services)
    {
        services.AddMetrics();
        services.AddSingleton<NodeMetrics>();
        services.AddSingleton<EventJournal>();
        services.AddSingleton<EventBoard>();
        services.AddSingleton<StoreReachability>();
        services.AddSingleton<PartitionCounts>();
        services.AddSingleton<NodeStatusBoard>();
        services.AddSingleton<ChangeTeller>();
        services.AddSingleton<TableFollower>();
        services.AddSingleton<HintFollower>();
        services.AddSingleton<Expulsion>();
        services.AddSingleton<TableLoop>();
        services.AddSingleton(provider => new MemberReports(
            provider.GetRequiredService<PeerDirectory>().ReportsOf,
            provider.GetRequiredService<FailureDetector>(),
            provider.GetRequiredService<TimeProvider>()));
        services.AddSingleton<StoreRestoration>();
        services.AddSingleton<NodeWatch>();
        services.AddHealthChecks()
            .AddCheck<NodeLiveCheck>(NodeLiveCheck.Name, tags: ["live"])
            .AddCheck<NodeReadyCheck>(NodeReadyCheck.Name, tags: ["ready"]);

        // Supervisors that probe by gRPC ask for a service by its name.
        services.Configure<GrpcHealthChecksOptions>(static options =>
        {
            foreach (var name in new[] { NodeLiveCheck.Name, NodeReadyCheck.Name })
                options.Services.Map(name, check => check.Name == name);
        });
    }

    private static void AddMember(IServiceCollection services)
    {
        services.AddSingleton<PeerClient>();
        services.AddSingleton<PeerDirectory>();
        services.AddSingleton<ServiceEndpointSelector>();
        services.AddSingleton<ResolverFactory, ClusterResolverFactory>();
        services.AddSingleton(CreateStateRouting);
        services.AddSingleton<CurrentMemberRole>();
        services.AddSingleton<ReplicaMetrics>();
        services.AddSingleton(CreateMemberRoleFactory);
        services.AddSingleton<IStatePeerDirectory>(provider => provider.GetRequiredService<PeerDirectory>());
        services.AddSingleton(
            provider => new FrameSender(provider.GetRequiredService<PeerDirectory>().FramesOf));
        services.AddSingleton<EpochConfirmation>();
        services.AddSingleton<CoordinatorLease>();
    }

    private static GlueServerBuilder AddGlue(IServiceCollection services)
    {
        services.AddOptions<GlueServerOptions>().Configure<ClusterSettings, NodeIdentity, PeerTrust>(
            (options, settings, self, trust) =>
            {
                options.ListenAddress = AddressOf(settings, settings.ListenAddress);
                options.PeerListenAddress = AddressOf(settings, settings.PeerListenAddress);
                options.PeerIdentity = trust.Identity;
                options.InProcessName = self.InProcessName;
                options.Node = self.Node;
            });
        services.AddGlueClient();
        services.AddOptions<GlueClientOptions>().Configure<NodeIdentity>((options, self) => options.Node = self.Node);
        services.AddSingleton<StatePeerService>();
        services.AddSingleton<StateFramesService>();
        services.AddSingleton<NodeStatusService>();
        services.AddSingleton<TableDeltasService>();
        services.AddSingleton<TableReportService>();
        return services.AddGlueServer()
            .AddService<IStatePeer, StatePeerService>(GlueInstanceMode.Singleton, audience: GlueAudience.Peers)
            .AddService<IStateFrames, StateFramesService>(GlueInstanceMode.Singleton, audience: GlueAudience.Peers)
            .AddService<INodeStatus, NodeStatusService>(GlueInstanceMode.Singleton, audience: GlueAudience.Peers)
            .AddService<ITableDeltas, TableDeltasService>(GlueInstanceMode.Singleton, audience: GlueAudience.Peers)
            .AddService<ITableReports, TableReportService>(GlueInstanceMode.Singleton, audience: GlueAudience.Peers);
    }

    private static string? AddressOf(ClusterSettings settings, Uri? address) =>
        settings.Role == ClusterRole.Node ? address?.GetLeftPart(UriPartial.Authority) : null;

    private static void AddLifecycle(IServiceCollection services)
    {
        services.AddSingleton<NodePorts>();
        services.AddSingleton<ClusterEntrance>();
        services.AddSingleton<FormerLives>();
        services.AddSingleton(ProcessExit.OfThisProcess);
        services.AddSingleton<NodeDrain>();
        services.AddSingleton(CreateNodeDependencies);
        services.AddSingleton<ClusterNode>();
        services.AddHostedService(provider => provider.GetRequiredService<ClusterNode>());
        services.AddSingleton<SnapshotSource>();
        services.AddSingleton<ICluster, LocalCluster>();
    }

    private static MemberRoleFactory CreateMemberRoleFactory(IServiceProvider provider) => new(
        provider.GetRequiredService<ClusterSettings>(),
        provider.GetRequiredService<IClusterStore>(),
        provider.GetRequiredService<ConfirmedTable>(),
        provider.GetRequiredService<FailureDetector>(),
        provider.GetRequiredService<CoordinatorLease>())
    {
        Routing = provider.GetRequiredService<StateRouting>(),
        Frames = provider.GetRequiredService<FrameSender>(),
        Beacons = provider.GetRequiredService<BeaconExchange>(),
        Clock = provider.GetRequiredService<NodeClock>(),
        Epochs = provider.GetRequiredService<EpochConfirmation>(),
        Counts = provider.GetRequiredService<PartitionCounts>(),
        Loops = provider.GetRequiredService<LoopContext>(),
        Loggers = provider.GetRequiredService<ILoggerFactory>(),
        Meters = provider.GetRequiredService<IMeterFactory>(),
        Protocol = provider.GetService<NodeProtocol>() ?? new NodeProtocol(),
    };

    private static StateRouting CreateStateRouting(IServiceProvider provider) => new(
        provider.GetRequiredService<ClusterComposition>(),
        provider.GetRequiredService<ClusterSettings>(),
        provider.GetRequiredService<ITableView>(),
        provider.GetRequiredService<PeerDirectory>(),
        provider.GetRequiredService<TimeProvider>())
    {
        Meters = provider.GetRequiredService<IMeterFactory>(),
    };

    private static DeltaClient CreateDeltaClient(IServiceProvider provider) => new(
        provider.GetRequiredService<RecentTables>(),
        provider.GetRequiredService<PeerDirectory>().DeltasOf,
        provider.GetRequiredService<TimeProvider>(),
        provider.GetRequiredService<ILogger<DeltaClient>>());

    private static NodeDependencies CreateNodeDependencies(IServiceProvider provider) => new(
        provider.GetRequiredService<ClusterSettings>(),
        provider.GetRequiredService<NodeIdentity>(),
        provider.GetRequiredService<IClusterStore>(),
        provider.GetRequiredService<ConfirmedTable>())
    {
        Composition = provider.GetRequiredService<ClusterComposition>(),
        Trust = provider.GetRequiredService<PeerTrust>(),
        Ports = provider.GetRequiredService<NodePorts>(),
        Entrance = provider.GetRequiredService<ClusterEntrance>(),
        Tables = provider.GetRequiredService<RecentTables>(),
        Routing = provider.GetRequiredService<StateRouting>(),
        Roles = provider.GetRequiredService<MemberRoleFactory>(),
        Role = provider.GetRequiredService<CurrentMemberRole>(),
        Metrics = provider.GetRequiredService<ReplicaMetrics>(),
        FormerLives = provider.GetRequiredService<FormerLives>(),
        Expulsion = provider.GetRequiredService<Expulsion>(),
        Exit = provider.GetRequiredService<ProcessExit>(),
        Drain = provider.GetRequiredService<NodeDrain>(),
        Loops = provider.GetRequiredService<LoopContext>(),
    };
}
