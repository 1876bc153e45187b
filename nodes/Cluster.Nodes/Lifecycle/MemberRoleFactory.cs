using Cluster.Nodes.Coordination;
using Cluster.Nodes.Handoff;
using Cluster.Nodes.Loops;
using Cluster.Nodes.Members;
using Cluster.Nodes.Routing;
using Cluster.Nodes.Watching;
using Cluster.Pile;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Lifecycle;

/// <summary>Puts <see cref="MemberRole"/> together once the cluster's properties are known. Stateless.</summary>
internal sealed class MemberRoleFactory(
    CoordinatorParts parts, StateRouting routing, PeerDirectory peers,
    LoopSurroundings surroundings, ILoggerFactory loggers)
{
    public MemberRole Create(ClusterMeta meta)
    {
        var self = parts.Self.Node;
        var pile = OpenPile();
        var epochs = new EpochConfirmation(parts.Store, parts.View, surroundings);
        var store = CreateStore(meta, pile, epochs);
        var staged = new StagedPartitions();
        return new MemberRole
        {
            Pile = pile,
            Store = store,
            Keeper = new PartitionKeeper(store, staged, self),
            Receiver = new HandoffReceiver(store, parts.View, staged, self, surroundings.Time),
            Sender = new HandoffSender(
                new HandoffParts(store, parts.View, peers, parts.Proposer, parts.Store) { Self = self }, surroundings),
            Coordinator = new Coordinator(parts, surroundings),
            Epochs = epochs,
        };
    }

    // What the budget may be depends on the limits of the process, which the pile itself looks up.
    private LocalPile OpenPile()
    {
        const string Path = $"{ClusterOptions.SectionName}:{nameof(ClusterOptions.PileBudgetBytes)}";
        try
        {
            return new LocalPile(new PileOptions { BudgetBytes = parts.Settings.PileBudgetBytes });
        }
        catch (Exception failure) when (failure is ArgumentException or PileException)
        {
            throw new ClusterStartException(
                ClusterExitCode.ConfigurationInvalid,
                $"No pile of {Path}, {parts.Settings.PileBudgetBytes:N0} bytes: {failure.Message}",
                $"Set {Path} to what this process may use.",
                failure);
        }
    }

    private NodeStateStore CreateStore(ClusterMeta meta, LocalPile pile, EpochConfirmation epochs) => new(
        routing.Catalog,
        new PartitionHash(meta),
        pile,
        parts.View,
        new NodeStateStoreOptions
        {
            Time = surroundings.Time,
            LoggerFactory = loggers,
            Seed = parts.Self.Node.Incarnation.GetHashCode(),
            NewerEpochHeard = epochs.Hear,
        });
}
