using Cluster.Nodes.Routing;
using Cluster.Nodes.Watching;
using Cluster.Pile;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Lifecycle;

/// <summary>Makes the state store of a node once the cluster's properties are known. Stateless.</summary>
internal sealed class StateStoreFactory(
    StateRouting routing, EpochConfirmation epochs, TableView view, TimeProvider time, ILoggerFactory loggers)
{
    public NodeStateStore Create(ClusterMeta meta, LocalPile pile) => new(
        routing.Catalog,
        new PartitionHash(meta),
        pile,
        view,
        new NodeStateStoreOptions
        {
            Time = time,
            LoggerFactory = loggers,
            Seed = view.Self!.Value.Incarnation.GetHashCode(),
            NewerEpochHeard = epochs.Hear,
        });
}
