using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Handoff;

/// <summary>Makes this node's state store follow the table: it serves the partitions that this node owns, and drops
/// those that do not list it. Sealed partitions that the node still owns belong to the <see cref="HandoffSender"/>.
/// Called by the host's one table loop.</summary>
internal sealed class PartitionKeeper(NodeStateStore store, StagedPartitions staged, NodeId self)
{
    /// <summary>The number of partitions that the latest table gives to this node.</summary>
    public int OwnedCount { get; private set; }

    public void Apply(ClusterTable table)
    {
        // A node that the table does not list yet has nothing to serve; one that is gone may serve nothing any more.
        var member = table.FindMember(self);
        NodeSlot? slot = member is null or { State: MemberState.Gone } ? null : member.Slot;
        var owned = 0;
        for (var index = 0; index < table.Partitions.Length; index++)
        {
            var entry = table.Partitions[index];
            var isPrimary = slot is not null && entry.Primary == slot;
            if (isPrimary)
                owned++;
            if (isPrimary)
                Serve(new PartitionId(index), entry);
            else
                Yield(new PartitionId(index), entry, slot, table.Version);
        }

        OwnedCount = owned;
    }

    /// <summary>Drops all partitions: this process is no longer a member.</summary>
    public void DropAll(int partitionCount)
    {
        for (var index = 0; index < partitionCount; index++)
            store.Drop(new PartitionId(index));
        OwnedCount = 0;
    }

    private void Serve(PartitionId partition, PartitionEntry entry)
    {
        var local = store.GetStatistics(partition);
        if (local.State == PartitionState.Sealed)
            return;
        if (local.State == PartitionState.Serving)
        {
            if (local.Epoch < entry.Epoch)
                store.Serve(partition, entry.Epoch);
            return;
        }

        var arrived = staged.Find(partition);
        if (arrived is not null && arrived.LossCount == entry.LossCount)
        {
            store.Promote(partition, entry.Epoch);
        }
        else
        {
            // The records of a transfer that ended in a loss are dropped: in the table a lost partition begins empty.
            store.Drop(partition);
            store.Serve(partition, entry.Epoch);
        }

        staged.Remove(partition);
    }

    private void Yield(PartitionId partition, PartitionEntry entry, NodeSlot? slot, long tableVersion)
    {
        var isListed = slot is { } mine && entry.Names(mine);
        if (isListed)
            return;
        var arrived = staged.Find(partition);

        // The records may have arrived under a newer table than this one. That table is applied next.
        if (arrived is not null && arrived.TableVersion > tableVersion)
            return;
        if (arrived is null && store.GetStatistics(partition).State == PartitionState.Absent)
            return;
        staged.Remove(partition);
        store.Drop(partition);
    }
}
