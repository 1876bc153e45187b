using Cluster.Nodes.Liveness;
using Cluster.Nodes.Status;
using Cluster.StateStore.Partitions;

namespace Cluster.Nodes.Watching;

/// <summary>
/// Compares each new table with the one before and announces what changed, with what this process knows about the
/// reasons. Called by the host's one table loop, so its field needs no protection.
/// </summary>
internal sealed class ChangeTeller(
    EventBoard events, NodeStatusBoard statuses, DeathRegister deaths, TimeProvider time)
{
    private ClusterTable? _told;

    /// <summary>Tells what is new. What stood before this process came is not news.</summary>
    internal void Tell(ClusterTable table)
    {
        var before = _told ?? table;
        _told = table;
        foreach (var change in TableChanges.Between(before, table, time.GetUtcNow()))
        {
            events.Announce(Explain(change, before, table));
        }
    }

    private ClusterEvent Explain(ClusterEvent change, ClusterTable before, ClusterTable after)
    {
        if (change.Node is not { } node) return change;
        return change.Kind switch
        {
            ClusterEventKind.NodeDied => change with { Reason = deaths.ReasonOf(node) },
            ClusterEventKind.PartitionsLost => change with
            {
                EntriesLost = statuses.CountLoss(node, TableChanges.LostWith(before, after, node)),
                Reason = deaths.ReasonOf(node),
            },
            _ => change,
        };
    }
}
