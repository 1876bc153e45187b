using Cluster.Nodes.Liveness;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Coordination;

/// <summary>The changes of the member list. Each function returns the changed table, or the same object when it changes
/// nothing, so that a proposer may apply it again after an unknown outcome. Pure.</summary>
internal static class MemberChanges
{
    /// <summary>Adds a member that is joining, in the lowest slot that nothing names.</summary>
    /// <param name="table">The standing table.</param>
    /// <param name="candidate">The member; its slot is chosen here.</param>
    public static ClusterTable Join(ClusterTable table, ClusterMember candidate)
    {
        if (table.FindMember(candidate.Node) is not null)
            return table;
        var slot = FindFreeSlot(table);
        var added = candidate with { Slot = slot, State = MemberState.Joining };
        return table with { Members = [.. table.Members.Add(added).OrderBy(member => member.Slot.Value)] };
    }

    /// <summary>Moves a member to a later state. A member never goes back to an earlier one.</summary>
    public static ClusterTable Advance(ClusterTable table, NodeId node, MemberState state)
    {
        var member = table.FindMember(node);
        if (member is null || member.State >= state)
            return table;
        return table with { Members = table.Members.Replace(member, member with { State = state }) };
    }

    /// <summary>Marks members as gone, and records in the table what proved their death.</summary>
    public static ClusterTable MarkDead(ClusterTable table, IEnumerable<LivenessResult> dead) => dead.Aggregate(
        table,
        (current, death) =>
        {
            var gone = Advance(current, death.Node, MemberState.Gone);
            return ReferenceEquals(gone, current) ? current : gone.WithDeath(new NodeDeath(death.Node, death.Reason));
        });

    /// <summary>Removes a member that owns nothing. A member that owns partitions stays as it is.</summary>
    public static ClusterTable Leave(ClusterTable table, NodeId node)
    {
        var member = table.FindMember(node);
        if (member is null || Holds(table, member.Slot))
            return table;
        return Advance(table, node, MemberState.Gone);
    }

    /// <summary>Removes members that were gone before and that no partition names any more.</summary>
    /// <param name="standing">The standing table: only members that are gone in it may be removed.</param>
    /// <param name="table">The table as changed so far.</param>
    public static ClusterTable Prune(ClusterTable standing, ClusterTable table)
    {
        var named = NamedSlots(table);
        var forgotten = standing.Members
            .Where(member => member.State == MemberState.Gone && !named.Contains(member.Slot))
            .Select(member => member.Slot)
            .ToHashSet();
        return forgotten.Count == 0
            ? table
            : table with { Members = table.Members.RemoveAll(member => forgotten.Contains(member.Slot)) };
    }

    /// <summary>Whether a member is primary or in sync anywhere.</summary>
    public static bool Holds(ClusterTable table, NodeSlot slot) =>
        table.Partitions.Any(entry => entry.InSync.Items.Contains(slot));

    private static NodeSlot FindFreeSlot(ClusterTable table)
    {
        var taken = NamedSlots(table);
        taken.UnionWith(table.Members.Select(member => member.Slot));
        for (var number = 0; number <= ushort.MaxValue; number++)
        {
            var slot = new NodeSlot((ushort)number);
            if (!taken.Contains(slot))
                return slot;
        }

        throw new InvalidOperationException(
            $"All {ushort.MaxValue + 1} member slots are taken. Declare members dead that are gone, by the command "
            + "'cluster member dead'.");
    }

    private static HashSet<NodeSlot> NamedSlots(ClusterTable table)
    {
        var named = new HashSet<NodeSlot>();
        foreach (var entry in table.Partitions)
        {
            named.UnionWith(entry.InSync.Items);
            if (entry.Joining is { } joining)
                named.Add(joining);
        }

        return named;
    }
}
