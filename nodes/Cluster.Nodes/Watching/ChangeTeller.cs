using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Watching;

/// <summary>Compares each new table with the one before and announces what changed. Proofs of death and figures of
/// losses come from the table, so that every process announces the same. Called by the host's one table loop, so its
/// field needs no protection.</summary>
internal sealed class ChangeTeller(
    EventBoard events, PartitionCounts counts, TimeProvider time)
{
    private ClusterTable? _told;

    /// <summary>Announces what is new in a table. The first table announces nothing.</summary>
    public void Tell(ClusterTable table)
    {
        var before = _told ?? table;
        _told = table;
        foreach (var change in TableChanges.Between(before, table, time.GetUtcNow()))
            events.Announce(Explain(change, before, table));
        if (TableChanges.OfCopies(before, table, time.GetUtcNow()) is { } copies)
            events.Announce(copies);
    }

    private ClusterEvent Explain(ClusterEvent change, ClusterTable before, ClusterTable after)
    {
        if (change.Node is not { } node)
            return change;
        if (change.Kind is not (ClusterEventKind.NodeDied or ClusterEventKind.PartitionsLost))
            return change;
        var death = after.FindDeath(node);
        var told = change with { Reason = death?.Proof ?? "the table no longer tells how it was proven" };
        if (change.Kind == ClusterEventKind.NodeDied)
            return told;
        counts.NoteLoss(TableChanges.LostWith(before, after, node), death?.EntriesLost);
        return told with { EntriesLost = death?.EntriesLost };
    }
}
