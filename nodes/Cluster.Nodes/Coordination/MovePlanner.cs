using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Coordination;

/// <summary>T6: names the members that partitions shall move to, a bounded number at a time. Moves under way are left
/// alone. Pure.</summary>
internal static class MovePlanner
{
    /// <summary>Starts as many moves as the limit allows; returns the same table when there is none to start.</summary>
    /// <param name="standing">The standing table: a partition that <paramref name="table"/> has changed already must
    /// not change twice.</param>
    /// <param name="table">The table as changed so far.</param>
    /// <param name="scope">Which partitions may move.</param>
    /// <param name="movesMax">How many may be on their way to, or from, one member; a leaving member is not held
    /// back.</param>
    public static ClusterTable Plan(ClusterTable standing, ClusterTable table, MoveScope scope, int movesMax)
    {
        var states = table.Members.ToDictionary(member => member.Slot, member => member.State);
        if (scope == MoveScope.Draining && !states.ContainsValue(MemberState.Draining))
            return table;
        var plan = PartitionAssignment.PlanPrimaries(table);
        var traffic = new MoveTraffic(table, movesMax);

        return PartitionChanges.Edit(table, (index, entry) =>
        {
            var isSettled = ReferenceEquals(entry, standing.Partitions[index])
                && entry.Joining is null && entry.InSync.Count == 1;
            if (!isSettled || plan[index] is not { } target || target == entry.Primary)
                return entry;
            var source = entry.Primary!.Value;
            var isLeaving = states[source] == MemberState.Draining;
            if (scope == MoveScope.Draining && !isLeaving)
                return entry;
            return traffic.TryAdd(source, target, isLeaving) ? entry.Target(target) : entry;
        });
    }
}
