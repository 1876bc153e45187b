using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Hosting.Formats;

/// <summary>The bytes of the deaths that a table tells, as <c>docs/formats/cluster-table.md</c> describes them.
/// Stateless.</summary>
internal static class DeathFormat
{
    public static void Write(FormatWriter output, ImmutableArray<NodeDeath> deaths)
    {
        output.Varint((uint)deaths.Length);
        foreach (var death in deaths)
        {
            output.Guid(death.Node.Incarnation);
            output.Text(death.Node.Name);
            output.Text(death.Proof);
            output.Varint((uint)death.PartitionsLost);

            // Zero stands for a number that nobody knows.
            output.Varint(death.EntriesLost is { } entries ? (ulong)entries + 1 : 0);
        }
    }

    public static ImmutableArray<NodeDeath> Read(ref FormatReader input)
    {
        var deaths = new NodeDeath[input.Count(ClusterTable.MaxDeaths, "deaths")];
        for (var index = 0; index < deaths.Length; index++)
        {
            var incarnation = input.Guid();
            var node = new NodeId(input.Text(ClusterTableCodec.MaxTextBytes), incarnation);
            var death = new NodeDeath(node, input.Text(ClusterTableCodec.MaxTextBytes))
            {
                PartitionsLost = input.Count(ClusterMeta.MaxPartitionCount, "lost partitions"),
            };
            var entries = input.Varint();
            deaths[index] = death with { EntriesLost = entries == 0 ? null : (long)(entries - 1) };
        }

        return [.. deaths];
    }
}
