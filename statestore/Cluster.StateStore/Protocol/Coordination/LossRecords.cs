using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Protocol.Coordination;

/// <summary>Writes into the table how many entries were lost with a node when its partitions begin again empty, so that
/// every process announces the same figure. Pure.</summary>
internal static class LossRecords
{
    private const string Left = "it left before it had handed everything over";

    /// <summary>Compares two tables and records each loss with the node that was the primary.</summary>
    /// <param name="before">The table with the former primaries.</param>
    /// <param name="after">The table in which losses are declared.</param>
    /// <param name="countOf">How many entries a partition held when it was counted last; null: it never was.</param>
    public static ClusterTable Record(ClusterTable before, ClusterTable after, Func<PartitionId, long?> countOf)
    {
        var lost = Enumerable.Range(0, before.Partitions.Length)
            .Where(index => after.Partitions[index].LossCount > before.Partitions[index].LossCount)
            .GroupBy(index => before.Partitions[index].Primary, index => new PartitionId(index));
        foreach (var group in lost)
        {
            if (group.Key is not { } slot || before.FindMember(slot) is not { } member)
                continue;
            PartitionId[] partitions = [.. group];
            var death = after.FindDeath(member.Node) ?? new NodeDeath(member.Node, Left);
            var counts = partitions.Select(countOf).ToArray();
            var entries = Array.TrueForAll(counts, count => count is not null) ? counts.Sum() : null;
            after = after.WithDeath(death.WithLoss(partitions.Length, entries));
        }

        return after;
    }
}
