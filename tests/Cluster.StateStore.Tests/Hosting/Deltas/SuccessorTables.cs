using Cluster.StateStore.Hosting.Tables;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Hosting.Deltas;

/// <summary>Makes tables that follow each other with changes by chance: members come, change and go, partitions get
/// other entries, deaths are told, sets begin, and the protocol rises. A chance decides, so not every change is legal. Stateless.</summary>
internal static class SuccessorTables
{
    public static readonly Guid ClusterId = new("8a4f2a0e-6f0b-4f6c-9a55-0d5f3c1b2a77");

    public static ClusterTable First(Random random) =>
        Table(1 << random.Next(0, 7), [.. Enumerable.Range(0, random.Next(0, 12)).Select(slot => Member(slot))]);

    /// <summary>A chain of tables, each the successor of the one before.</summary>
    public static ClusterTable[] Chain(int seed, int length)
    {
        var random = new Random(seed);
        var tables = new ClusterTable[length];
        tables[0] = First(random);
        for (var index = 1; index < length; index++)
            tables[index] = Next(tables[index - 1], random);
        return tables;
    }

    public static ClusterTable Next(ClusterTable table, Random random)
    {
        var nonce = new byte[16];
        random.NextBytes(nonce);
        var next = table.StartSuccessor(new Guid(nonce));
        for (var change = random.Next(0, 6); change > 0; change--)
            next = Change(next, random);
        return next;
    }

    private static ClusterTable Change(ClusterTable table, Random random)
    {
        switch (random.Next(7))
        {
            case 0:
                return table.WithMember(Member(random.Next(40), (MemberState)random.Next(4), $"m{random.Next(1_000)}"));
            case 1 when table.Members.Length > 0:
                return table with { Members = table.Members.RemoveAt(random.Next(table.Members.Length)) };
            case 2 when table.Members.Length > 0:
                var member = table.Members[random.Next(table.Members.Length)];
                return table.WithMember(member with { WantedBackups = new([1, 2]), PeerAddress = "http://10.0.0.1:1" });
            case 3:
                return table.WithDeath(
                    new NodeDeath(new NodeId($"d{random.Next(50)}", Guid.Empty), "it said so").WithLoss(3, 7));
            case 4 when random.Next(4) == 0:
                return table.WithSet((byte)random.Next(4)).WithStates([new StatePlacement((uint)random.Next(9), 1)]);
            case 5 when random.Next(4) == 0:
                return table with { Protocol = table.Protocol + 1 };
            default:
                var partition = new PartitionId(random.Next(table.Partitions.Length));
                return table.WithPartition(partition, Entry(table[partition], random));
        }
    }

    private static PartitionEntry Entry(PartitionEntry entry, Random random) => entry.InSync.Count == 0
        ? entry.AssignFirst(Slot(random.Next(40)), Slot(41 + random.Next(9)))
        : random.Next(3) switch
        {
            0 => entry.DeclareLost(Slot(random.Next(40))),
            1 => entry.Target(Slot(random.Next(40)), entry.InSync[^1], entry.InSync[0]),
            _ => entry.TakeOver(Slot(random.Next(40))),
        };
}
