using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Testing.Simulation.Stores;

/// <summary>Describes what one version of the table changes, for the trace. Stateless.</summary>
internal static class TableDifference
{
    public static string Describe(ClusterTable before, StoredVersion stored)
    {
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"version {stored.Table.Version} by {stored.Proposer}:");
        foreach (var member in stored.Table.Members)
        {
            if (before.FindMember(member.Slot) != member)
                text.Append(CultureInfo.InvariantCulture, $" {member.Slot}={member.Node} {member.State}");
        }

        for (var index = 0; index < stored.Table.Partitions.Length; index++)
        {
            var (from, to) = (before.Partitions[index], stored.Table.Partitions[index]);
            if (from != to)
                text.Append(CultureInfo.InvariantCulture, $" p{index}: {Describe(from, to)}");
        }

        return text.ToString();
    }

    private static string Describe(PartitionEntry from, PartitionEntry to) =>
        $"{PartitionTransitions.Validate(from, to).Change} e{to.Epoch} {to.Primary}{to.InSync}+{to.Joining};";
}
