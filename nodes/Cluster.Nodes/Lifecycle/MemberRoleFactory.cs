using System.Diagnostics.Metrics;
using Cluster.Nodes.Beacons;
using Cluster.Nodes.Clocks;
using Cluster.Nodes.Configuration;
using Cluster.Nodes.Coordination;
using Cluster.Nodes.Liveness;
using Cluster.Nodes.Loops;
using Cluster.Nodes.Members;
using Cluster.Nodes.Routing;
using Cluster.Nodes.Stores;
using Cluster.Nodes.Watching;
using Cluster.Pile;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Lifecycle;

/// <summary>Makes the <see cref="MemberRole"/> of a node once the cluster's properties are known. Stateless.</summary>
internal sealed class MemberRoleFactory(
    ClusterSettings settings, IClusterStore store, ConfirmedTable table, FailureDetector detector,
    CoordinatorLease lease)
{
    public required StateRouting Routing { get; init; }

    public required FrameSender Frames { get; init; }

    public required BeaconExchange Beacons { get; init; }

    public required NodeClock Clock { get; init; }

    public required EpochConfirmation Epochs { get; init; }

    public required PartitionCounts Counts { get; init; }

    public required LoopContext Loops { get; init; }

    public required ILoggerFactory Loggers { get; init; }

    public required IMeterFactory Meters { get; init; }

    public NodeProtocol Protocol { get; init; } = new();

    /// <summary>Makes the role.</summary>
    /// <param name="meta">The cluster's properties.</param>
    /// <param name="candidate">The node as it enters the member list.</param>
    public MemberRole Create(ClusterMeta meta, ClusterMember candidate)
    {
        var pile = OpenPile();
        var environment = new NodeEnvironment(store, table, Frames, detector, Loops)
        {
            Lease = lease,
            Beacons = Beacons,
        };
        var states = OpenStates(meta, pile, OptionsOf(candidate, environment));
        environment.States = states;
        Beacons.Begin(states.DeliverBeacon, environment.Probe);
        return new MemberRole
        {
            Pile = pile,
            Store = states,
            Environment = environment,
            Frames = Frames,
            Beacons = Beacons,
            Lease = lease,
            Epochs = Epochs,
        };
    }

    private NodeStateStoreOptions OptionsOf(ClusterMember candidate, NodeEnvironment environment)
    {
        var options = new NodeStateStoreOptions
        {
            Member = candidate,
            Environment = environment,
            InitialNodeCount = settings.InitialNodeCount,
            Backups = settings.Backups,
            MaxCopies = settings.MaxMovesInFlight,
            CountOf = partition => Counts.Last.TryGetValue(partition, out var count) ? count : null,
            Time = Clock.Time,
            LoggerFactory = Loggers,
            MeterFactory = Meters,
            Seed = candidate.Node.Incarnation.GetHashCode(),
            NewerEpochHeard = Epochs.Hear,
            MappedFolder = settings.MappedFolder,
            SnapshotFolder = settings.SnapshotFolder,
            SnapshotInterval = settings.SnapshotInterval,
            RestoreTimeout = settings.RestoreTimeout,
            AllowSharedFolder = settings.AllowSharedFolder,
        };
        options.Protocol = Protocol.Version ?? options.Protocol;
        options.ProtocolRaiseDelay = Protocol.RaiseAfter ?? options.ProtocolRaiseDelay;
        return options;
    }

    private NodeStateStore OpenStates(ClusterMeta meta, LocalPile pile, NodeStateStoreOptions options)
    {
        try
        {
            return new NodeStateStore(Routing.Catalog, meta, pile, table.View, options);
        }
        catch (IOException failure)
        {
            pile.Dispose();
            throw Unusable(failure);
        }
    }

    // Nothing in the folder is needed: other nodes have the copies. But it may be that of another node.
    private ClusterStartException Unusable(Exception failure)
    {
        const string Path = $"{ClusterOptions.SectionName}:{nameof(ClusterOptions.MappedFolder)}";
        return new ClusterStartException(
            ClusterExitCode.ConfigurationInvalid,
            $"The states cannot lie in {Path}, '{LogText.Clean(settings.MappedFolder!)}': "
            + LogText.Clean(failure.Message),
            $"Correct {Path}. If the folder is that of this node and damaged, delete it: the node then gets whole "
            + "copies from other nodes.",
            failure);
    }

    // The largest allowed budget depends on the memory limits of the process, which the pile itself looks up.
    private LocalPile OpenPile()
    {
        const string Path = $"{ClusterOptions.SectionName}:{nameof(ClusterOptions.PileBudgetBytes)}";
        try
        {
            return new LocalPile(new PileOptions
            {
                BudgetBytes = settings.PileBudgetBytes,
                MappedFolder = settings.MappedFolder,
                AllowSharedFolder = settings.AllowSharedFolder,
            });
        }
        catch (Exception failure) when (settings.MappedFolder is not null
            && failure is PileFolderException or IOException or UnauthorizedAccessException)
        {
            throw Unusable(failure);
        }
        catch (Exception failure) when (failure is ArgumentException or PileException)
        {
            throw new ClusterStartException(
                ClusterExitCode.ConfigurationInvalid,
                $"No pile of {Path}, {settings.PileBudgetBytes:N0} bytes: {failure.Message}",
                $"Set {Path} to what this process may use.",
                failure);
        }
    }
}
