using Cluster.Nodes.Members;
using Cluster.Nodes.Routing;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Status;

/// <summary>Answers <see cref="INodeStatus"/> for this node, from the objects of this process. Stateless.</summary>
internal sealed class NodeStatusService(
    ITableView view, CurrentMemberRole role, PartitionCounts counts, StatePeerService peer, TimeProvider time)
    : INodeStatus
{
    private readonly GcPauses _pauses = new();

    public ValueTask<NodeStatus> GetAsync(CancellationToken cancellationToken)
    {
        var member = role.Current;
        var self = view.Self ?? throw new InvalidOperationException("Only a node has a status.");
        var partitions = member?.Store.DescribePrimaries() ?? [];
        var states = member?.Store.CountEntries().OrderBy(state => state.Key, StringComparer.Ordinal).ToArray() ?? [];
        var pile = member?.Pile.GetStatistics();
        return new(new NodeStatus
        {
            Name = self.Name,
            UtcNow = time.GetUtcNow(),
            Incarnation = self.Incarnation,
            TableVersion = view.Current.Version,
            IsCoordinator = member?.Lease.IsHeld ?? false,
            Partitions = [.. partitions.Select(partition => partition.Partition.Value)],
            PartitionEntries = [.. partitions.Select(partition => partition.Entries)],
            States = [.. states.Select(state => state.Key)],
            StateEntries = [.. states.Select(state => state.Value)],
            EntriesCounted = counts.Last.Values.Sum(),
            PileBytes = pile?.ReservedBytes ?? 0,
            PileBudgetBytes = pile?.BudgetBytes ?? 0,
            ManagedBytes = GC.GetTotalMemory(forceFullCollection: false),
            GcPauseMax = _pauses.Observe(),
            StateCalls = peer.CallCount,
            EntriesLost = counts.EntriesLost,
        });
    }
}
