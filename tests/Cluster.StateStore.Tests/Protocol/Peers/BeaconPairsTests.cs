using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Peers;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Protocol.Peers;

public sealed class BeaconPairsTests
{
    [Fact]
    public void FindWatched_RandomTables_IsTheSameOnBothSides()
    {
        for (var seed = 0; seed < 100; seed++)
        {
            var table = RandomTable(new Random(seed));
            var watched = table.Members.ToDictionary(
                member => member.Slot, member => BeaconPairs.FindWatched(table, member.Slot));
            foreach (var (slot, others) in watched)
            {
                Assert.DoesNotContain(slot, others);
                Assert.All(others, other => Assert.Contains(slot, watched[other]));
            }
        }
    }

    [Fact]
    public void FindJudges_RandomTables_AreThoseThatWatchButForTheSidesOfACopy()
    {
        for (var seed = 0; seed < 100; seed++)
        {
            var table = RandomTable(new Random(seed));
            var judges = BeaconPairs.FindJudges(table);
            var settled = table with
            {
                Partitions = [.. table.Partitions.Select(entry => entry.Joining is null ? entry : entry.Target(null))],
            };
            foreach (var member in table.Members)
            {
                Assert.True(BeaconPairs.FindWatched(settled, member.Slot)
                    .SetEquals(judges.GetValueOrDefault(member.Slot) ?? []));
            }
        }
    }

    /// <summary>Leases are owed between all members that an entry names.</summary>
    [Fact]
    public void FindWatched_MembersOfOneEntry_WatchEachOther()
    {
        var table = Table(4, [.. Enumerable.Range(0, 20).Select(slot => Member(slot))]);
        var entry = PartitionEntry.Unowned.AssignFirst(Slot(3), Slot(12)).Target(Slot(17));
        table = table.WithPartition(new PartitionId(2), entry);
        Assert.Superset(new HashSet<NodeSlot> { Slot(12), Slot(17) }, BeaconPairs.FindWatched(table, Slot(3)));
        Assert.Superset(new HashSet<NodeSlot> { Slot(3), Slot(17) }, BeaconPairs.FindWatched(table, Slot(12)));
        Assert.Superset(new HashSet<NodeSlot> { Slot(3), Slot(12) }, BeaconPairs.FindWatched(table, Slot(17)));
    }

    [Theory]
    [InlineData(1, 0)]
    [InlineData(2, 1)]
    [InlineData(4, 3)]
    [InlineData(100, 8)]
    public void FindWatched_MemberWithoutPartitions_IsWatchedByItsNeighbours(int memberCount, int watchedCount)
    {
        var table = Table(1, [.. Enumerable.Range(0, memberCount).Select(slot => Member(slot))]);
        Assert.All(
            table.Members, member => Assert.Equal(watchedCount, BeaconPairs.FindWatched(table, member.Slot).Count));
    }

    private static ClusterTable RandomTable(Random random)
    {
        var members = Enumerable.Range(0, random.Next(1, 40))
            .Select(slot => Member(slot, random.Next(5) == 0 ? MemberState.Gone : MemberState.Active))
            .ToArray();
        var table = Table(32, members);
        for (var index = 0; index < 32 && members.Length > 3; index++)
        {
            var slots = members.Select(member => member.Slot).OrderBy(_ => random.Next()).Take(3).ToArray();
            var entry = PartitionEntry.Unowned.AssignFirst(slots[0], slots[1]);
            table = table.WithPartition(
                new PartitionId(index), random.Next(2) == 0 ? entry : entry.Target(slots[2], slots[2]));
        }

        return table;
    }
}
