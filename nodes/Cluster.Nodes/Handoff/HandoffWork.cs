using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Handoff;

/// <summary>The hand-off work of one round, from one table and the state store. Immutable.</summary>
/// <param name="Leaving">Partitions to be sealed and sent, with their targets.</param>
/// <param name="Copied">Sealed partitions whose target is in sync.</param>
/// <param name="Returning">Sealed partitions that have no target any more.</param>
internal sealed record HandoffWork(
    ImmutableDictionary<PartitionId, NodeSlot> Leaving,
    ImmutableDictionary<PartitionId, NodeSlot> Copied,
    ImmutableArray<PartitionId> Returning)
{
    public bool IsEmpty => Leaving.IsEmpty && Copied.IsEmpty && Returning.IsEmpty;

    /// <summary>Finds the work, with at most this number of partitions that leave.</summary>
    public static HandoffWork Find(ClusterTable table, NodeSlot self, NodeStateStore store, int countMax)
    {
        var leaving = ImmutableDictionary.CreateBuilder<PartitionId, NodeSlot>();
        var copied = ImmutableDictionary.CreateBuilder<PartitionId, NodeSlot>();
        var returning = ImmutableArray.CreateBuilder<PartitionId>();
        for (var index = 0; index < table.Partitions.Length; index++)
        {
            var entry = table.Partitions[index];
            if (entry.Primary != self)
                continue;
            var partition = new PartitionId(index);
            var state = store.GetStatistics(partition).State;
            var other = entry.InSync.Items.Where(slot => slot != self).Cast<NodeSlot?>().FirstOrDefault();
            if (other is { } target && state == PartitionState.Sealed)
                copied[partition] = target;
            else if (other is null && entry.Joining is { } joining && state != PartitionState.Absent)
                leaving[partition] = joining;
            else if (other is null && state == PartitionState.Sealed)
                returning.Add(partition);
        }

        return new HandoffWork(
            leaving.Take(countMax).ToImmutableDictionary(), copied.ToImmutableDictionary(), returning.ToImmutable());
    }
}
