using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Coordination;

/// <summary>What an owner proposes for the partitions it has sealed and copied to their targets. A partition that is no
/// longer as the hand-off found it is left alone, so each function may be applied again after an outcome it did not
/// learn. Pure.</summary>
internal static class HandoffChanges
{
    /// <summary>T3: the targets have everything; from here losing the owner costs nothing.</summary>
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
