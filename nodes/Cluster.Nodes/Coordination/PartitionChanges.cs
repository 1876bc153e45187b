using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Coordination;

/// <summary>The table changes for partitions whose owner is missing: the first assignment, and the reassignment after a
/// death. Each function returns the changed table, or the same object when it changes nothing. Pure.</summary>
internal static class PartitionChanges
{
    /// <summary>T0: gives partitions that nobody has owned yet to the active members.</summary>
    /// <param name="table">The standing table.</param>
    /// <param name="initialNodeCount">How many must be active before the very first assignment.</param>
    public static ClusterTable AssignFirst(ClusterTable table, int initialNodeCount)
    {
        if (!table.Partitions.Any(entry => entry.Primary is null))
            return table;
        var activeCount = table.Members.Count(member => member.State == MemberState.Active);
        if (activeCount < initialNodeCount || activeCount == 0)
            return table;
        var plan = PartitionAssignment.PlanPrimaries(table);
        return Edit(table, (index, entry) => entry.Primary is null ? entry.AssignFirst(plan[index]!.Value) : entry);
    }

    /// <summary>T1, T2 and T5 after a death: another member in sync takes over; where there is none, the contents are
    /// declared lost and an active member starts empty. Members that are gone are removed from every other
    /// role.</summary>
    public static ClusterTable Reassign(ClusterTable table)
    {
        var states = table.Members.ToDictionary(member => member.Slot, member => member.State);
        if (!states.ContainsValue(MemberState.Gone) && !HasLostTargets(table, states))
            return table;
        var plan = PartitionAssignment.PlanPrimaries(table);
        return Edit(table, (index, entry) => ReassignEntry(entry, plan[index], states));
    }

    /// <summary>Applies a change to each entry; returns the same table when no entry changed.</summary>
    public static ClusterTable Edit(ClusterTable table, Func<int, PartitionEntry, PartitionEntry> change)
    {
        ImmutableArray<PartitionEntry>.Builder? changed = null;
        for (var index = 0; index < table.Partitions.Length; index++)
        {
            var entry = table.Partitions[index];
            var successor = change(index, entry);
            if (ReferenceEquals(successor, entry))
                continue;
            changed ??= table.Partitions.ToBuilder();
            changed[index] = successor;
        }

        return changed is null ? table : table with { Partitions = changed.MoveToImmutable() };
    }

    private static PartitionEntry ReassignEntry(
        PartitionEntry entry, NodeSlot? planned, Dictionary<NodeSlot, MemberState> states)
    {
        if (entry.Primary is not { } primary)
            return entry;
        if (IsGone(primary, states))
            return ReassignOrphan(entry, planned, states);
        var goneBackup = entry.InSync.Items.Where(slot => IsGone(slot, states))
            .Cast<NodeSlot?>().FirstOrDefault();
        if (goneBackup is { } gone)
            return entry.Shrink(gone);
        return entry.Joining is { } joining && !IsActive(joining, states) ? entry.Target(null) : entry;
    }

    private static PartitionEntry ReassignOrphan(
        PartitionEntry entry, NodeSlot? planned, Dictionary<NodeSlot, MemberState> states)
    {
        var survivor = entry.InSync.Items.Where(slot => !IsGone(slot, states)).Cast<NodeSlot?>().FirstOrDefault();
        if (survivor is { } inSync)
            return entry.TakeOver(inSync);

        // Without an active member the partition waits for the first one that joins.
        return planned is { } successor ? entry.DeclareLost(successor) : entry;
    }

    private static bool HasLostTargets(ClusterTable table, Dictionary<NodeSlot, MemberState> states) =>
        table.Partitions.Any(entry => entry.Joining is { } joining && !IsActive(joining, states));

    private static bool IsGone(NodeSlot slot, Dictionary<NodeSlot, MemberState> states) =>
        !states.TryGetValue(slot, out var state) || state == MemberState.Gone;

    private static bool IsActive(NodeSlot slot, Dictionary<NodeSlot, MemberState> states) =>
        states.TryGetValue(slot, out var state) && state == MemberState.Active;
}
