using Cluster.StateStore.Hosting.Tables;

namespace Cluster.SystemTests.Faults;

/// <summary>What scenarios ask a table about. Stateless.</summary>
internal static class TableQuestions
{
    /// <summary>The name of the primary of a partition.</summary>
    public static string? PrimaryOf(this ClusterTable table, int partition) =>
        table.Partitions[partition].Primary is { } slot ? table.FindMember(slot)?.Node.Name : null;

    /// <summary>The names of the members that have a copy of a partition.</summary>
    public static string[] HoldersOf(this ClusterTable table, int partition) =>
        [.. table.Partitions[partition].InSync.Select(slot => table.FindMember(slot)?.Node.Name ?? "")];

    /// <summary>Whether a node is about to get a partition or a copy.</summary>
    public static bool IsTarget(this ClusterTable table, string name)
    {
        var slots = table.Members.Where(member => member.Node.Name == name).Select(member => member.Slot).ToHashSet();
        return table.Partitions.Any(entry =>
            (entry.Joining is { } joining && slots.Contains(joining)) || (entry.Next is { } next && slots.Contains(next)));
    }

    /// <summary>Finds another holder of a partition whose move to a node is at a step; null: none is.</summary>
    public static string? FindSource(this ClusterTable table, Guid target, HandoffStep step)
    {
        if (table.Members.FirstOrDefault(member => member.Node.Incarnation == target) is not { Slot: var slot })
            return null;
        var entry = table.Partitions.FirstOrDefault(entry => step switch
        {
            HandoffStep.Copying => entry.Joining == slot,
            HandoffStep.InSync => entry.Primary != slot && entry.InSync.Contains(slot),
            HandoffStep.Moving => entry.Next == slot && entry.InSync.Contains(slot),
            _ => entry.Primary == slot && entry.InSync.Count > 1,
        });
        return entry?.InSync.Where(holder => holder != slot)
            .Select(holder => table.FindMember(holder)?.Node.Name)
            .FirstOrDefault();
    }
}
