using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Frames;

namespace Cluster.StateStore.Protocol.Coordination;

/// <summary>What nodes have said about the snapshots from which lost partitions can be restored, and since when each
/// partition is lost. It outlasts tables: nodes come back one after the other. Used under the node's lock.</summary>
internal sealed class SnapshotOffers
{
    private readonly Dictionary<PartitionId, LostPartition> _lost = [];

    /// <summary>Forgets everything.</summary>
    public void Clear() => _lost.Clear();

    /// <summary>Takes what a node says.</summary>
    /// <param name="table">The table that stands.</param>
    /// <param name="from">The node.</param>
    /// <param name="proposal">What it has said of lost partitions, among other things.</param>
    /// <param name="now">The monotonic clock.</param>
    public void Offered(ClusterTable table, NodeSlot from, Proposal proposal, long now)
    {
        var node = table.FindMember(from)?.Node;
        foreach (var wish in proposal.Wishes)
        {
            var isOffer = wish.Change == PartitionChange.DeclareLost
                && wish.Member == from
                && wish.FindEntry(table)?.Epoch.Value == wish.Epoch;
            if (isOffer && node is { } life)
                Find(wish.Partition, wish.Epoch, now).Marks[life] = wish.Mark;
        }
    }

    /// <summary>Returns what is known about a lost partition.</summary>
    /// <param name="partition">The partition.</param>
    /// <param name="epoch">The last epoch of the members that are gone.</param>
    /// <param name="now">The monotonic clock.</param>
    public LostPartition Find(PartitionId partition, long epoch, long now)
    {
        if (!_lost.TryGetValue(partition, out var lost) || lost.Epoch != epoch)
            _lost[partition] = lost = new LostPartition(epoch, now);
        return lost;
    }

    /// <summary>Forgets the partitions that have another epoch by now.</summary>
    public void Adopted(ClusterTable table)
    {
        foreach (var (partition, lost) in _lost)
        {
            if (partition.Value >= table.Partitions.Length || table[partition].Epoch.Value != lost.Epoch)
                _lost.Remove(partition);
        }
    }
}
