using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Coordination;

/// <summary>Writes into the table how many entries were lost with a node when its partitions begin again empty, so that
/// every process announces the same figure. Pure.</summary>
internal static class LossRecords
{
    private const string Left = "it left before it had handed everything over";

    /// <summary>Compares two tables and records each loss with the node that owned the partitions.</summary>
    /// <param name="before">The table with the former owners.</param>
    /// <param name="after">The table in which losses are declared.</param>
    /// <param name="counts">How many entries each partition held when it was counted last.</param>
    public static ClusterTable Record(
        ClusterTable before, ClusterTable after, IReadOnlyDictionary<PartitionId, long> counts)
    {
        var lost = Enumerable.Range(0, after.Partitions.Length)
            .Where(index => after.Partitions[index].LossCount > before.Partitions[index].LossCount)
            .GroupBy(index => before.Partitions[index].Primary, index => new PartitionId(index));
        foreach (var group in lost)
        {
            if (group.Key is not { } slot || before.FindMember(slot) is not { } member)
                continue;
            PartitionId[] partitions = [.. group];
            var death = after.FindDeath(member.Node) ?? new NodeDeath(member.Node, Left);
            after = after.WithDeath(death.WithLoss(partitions.Length, Sum(partitions, counts)));
        }

        return after;
    }

    private static long? Sum(PartitionId[] partitions, IReadOnlyDictionary<PartitionId, long> counts)
    {
        var sum = 0L;
        foreach (var partition in partitions)
        {
            if (!counts.TryGetValue(partition, out var count))
                return null;
            sum += count;
        }

        return sum;
    }
}
