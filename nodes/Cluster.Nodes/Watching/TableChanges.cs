using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Watching;

/// <summary>The events that a person wants to know between one table and a newer one. The newer one may skip versions.
/// Pure.</summary>
internal static class TableChanges
{
    /// <summary>The events, members first. The caller adds times and reasons.</summary>
    public static IEnumerable<ClusterEvent> Between(ClusterTable before, ClusterTable after, DateTimeOffset now)
    {
        foreach (var (kind, node) in MemberEvents(before, after))
            yield return new ClusterEvent(kind, now, after.Version, node, 0);
        var pairs = PartitionPairs(before, after).Where(pair => pair.Before.Primary != pair.After.Primary
            || pair.Before.LossCount != pair.After.LossCount).ToArray();

        // A loss names the node that had the partitions; a move or an assignment names the node that has got them.
        foreach (var lost in pairs.Where(IsLost).GroupBy(pair => before.NodeOf(pair.Before.Primary)))
            yield return new ClusterEvent(ClusterEventKind.PartitionsLost, now, after.Version, lost.Key, lost.Count());
        foreach (var moved in pairs.Where(IsMoved).GroupBy(pair => after.NodeOf(pair.After.Primary)))
            yield return new ClusterEvent(ClusterEventKind.PartitionsMoved,
                now, after.Version, moved.Key, moved.Count());
        foreach (var given in pairs.Where(IsAssigned).GroupBy(pair => after.NodeOf(pair.After.Primary)))
            yield return new ClusterEvent(ClusterEventKind.PartitionsAssigned,
                now, after.Version, given.Key, given.Count());
    }

    /// <summary>The event that copies are missing, or are complete again; null: neither has begun.</summary>
    public static ClusterEvent? OfCopies(ClusterTable before, ClusterTable after, DateTimeOffset now)
    {
        var (were, are) = (before.CountUnderReplicated(), after.CountUnderReplicated());
        if (were > 0 == are > 0)
            return null;
        var kind = are > 0 ? ClusterEventKind.CopiesMissing : ClusterEventKind.CopiesComplete;
        return new ClusterEvent(kind, now, after.Version, null, are);
    }

    /// <summary>The partitions whose contents were lost with a node.</summary>
    public static IEnumerable<PartitionId> LostWith(ClusterTable before, ClusterTable after, NodeId? node) =>
        PartitionPairs(before, after)
            .Select((pair, index) => (pair, index))
            .Where(item => IsLost(item.pair) && before.NodeOf(item.pair.Before.Primary) == node)
            .Select(item => new PartitionId(item.index));

    private static NodeId? NodeOf(this ClusterTable table, NodeSlot? slot) =>
        slot is { } known ? table.FindMember(known)?.Node : null;

    private static IEnumerable<(ClusterEventKind Kind, NodeId Node)> MemberEvents(
        ClusterTable before, ClusterTable after)
    {
        foreach (var member in after.Members)
        {
            var previous = before.FindMember(member.Node)?.State;
            if (previous == member.State)
                continue;
            if (member.State == MemberState.Active)
                yield return (ClusterEventKind.NodeJoined, member.Node);
            if (member.State == MemberState.Draining)
                yield return (ClusterEventKind.NodeDraining, member.Node);
            if (member.State == MemberState.Gone && previous is not null)
                yield return (EndOf(member.Node, before, after), member.Node);
        }

        // A member may have left and been forgotten between the two versions.
        foreach (var member in before.Members)
        {
            if (member.State != MemberState.Gone && after.FindMember(member.Node) is null)
                yield return (EndOf(member.Node, before, after), member.Node);
        }
    }

    private static ClusterEventKind EndOf(NodeId node, ClusterTable before, ClusterTable after)
    {
        var member = before.FindMember(node)!;
        var leftBehind = after.Partitions.Any(entry => entry.InSync.Items.Contains(member.Slot))
            || LostWith(before, after, node).Any();
        if (leftBehind || after.FindDeath(node) is not null)
            return ClusterEventKind.NodeDied;

        // A table keeps the last deaths alone. Where it may have dropped this one, the partitions tell.
        var isOrderly = after.Deaths.Length < ClusterTable.MaxDeaths || member.State == MemberState.Draining
            || !HasPrimaries(before, member.Slot);
        return isOrderly ? ClusterEventKind.NodeLeft : ClusterEventKind.NodeDied;
    }

    private static bool HasPrimaries(ClusterTable table, NodeSlot slot) =>
        table.Partitions.Any(entry => entry.Primary == slot);

    private static IEnumerable<(PartitionEntry Before, PartitionEntry After)> PartitionPairs(
        ClusterTable before, ClusterTable after) =>
        after.Partitions.Select((entry, index) =>
            (index < before.Partitions.Length ? before.Partitions[index] : PartitionEntry.Unowned, entry));

    private static bool IsLost((PartitionEntry Before, PartitionEntry After) pair) =>
        pair.After.LossCount > pair.Before.LossCount;

    private static bool IsAssigned((PartitionEntry Before, PartitionEntry After) pair) =>
        !IsLost(pair) && pair.Before.Primary is null;

    private static bool IsMoved((PartitionEntry Before, PartitionEntry After) pair) =>
        !IsLost(pair) && pair.Before.Primary is not null;
}
