using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Coordination;

/// <summary>The table changes that an owner proposes for partitions it has sealed and copied. A partition that has
/// changed since the hand-off began is left alone, so that each function may be applied again after an unknown outcome.
/// Pure.</summary>
internal static class HandoffChanges
{
    /// <summary>T3: the targets have all records. From here on the loss of the owner loses nothing.</summary>
    /// <param name="table">The standing table.</param>
    /// <param name="owner">The owner that has sealed the partitions.</param>
    /// <param name="targets">The target of each copied partition.</param>
    public static ClusterTable Join(
        ClusterTable table, NodeSlot owner, ImmutableDictionary<PartitionId, NodeSlot> targets) =>
        PartitionChanges.Edit(table, (index, entry) =>
            targets.TryGetValue(new PartitionId(index), out var target)
                && entry.Primary == owner && entry.Joining == target
                ? entry.Join()
                : entry);

    /// <summary>The sealed owner gives its place to the targets that are in sync.</summary>
    public static ClusterTable TakeOver(
        ClusterTable table, NodeSlot owner, ImmutableDictionary<PartitionId, NodeSlot> targets) =>
        PartitionChanges.Edit(table, (index, entry) =>
            targets.TryGetValue(new PartitionId(index), out var target)
            && entry.Primary == owner
            && entry.InSync.Items.Contains(target)
                ? entry.TakeOver(target)
                : entry);
}
