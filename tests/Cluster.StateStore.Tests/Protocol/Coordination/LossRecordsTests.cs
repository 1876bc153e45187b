using Cluster.StateStore.Hosting.Tables;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Protocol.Coordination;

[Trait("Case", "repair-C7")]
public sealed class LossRecordsTests
{
    private static ClusterTable Standing { get; } = Table(64, Member(0), Member(1), Member(2)).Assign();

    [Fact]
    public void Record_DeadNode_TellsProofAndLastCounts()
    {
        var death = Assert.Single(Decide(Standing, [Member(1).Node], _ => 10).Deaths);
        var lost = CountOf(1);
        Assert.Equal((Member(1).Node, Decision.Proof), (death.Node, death.Proof));
        Assert.Equal((lost, (long?)(10 * lost)), (death.PartitionsLost, death.EntriesLost));
    }

    [Fact]
    public void Record_PartitionNeverCounted_IsAnUnknownNumberAndNotZero()
    {
        var owner = Standing.FindMember(Standing.Partitions[0].Primary!.Value)!.Node;
        var table = Decide(Standing, [owner], partition => partition.Value == 0 ? null : 10);
        Assert.Null(Assert.Single(table.Deaths).EntriesLost);
    }

    [Fact]
    public void Record_NodeThatLeftWithPartitions_SaysThatItLeft()
    {
        var death = Assert.Single(Decide(Standing.WithMember(Member(1, MemberState.Gone)), [], _ => 3).Deaths);
        Assert.Contains("left", death.Proof, StringComparison.Ordinal);
        Assert.Equal(3L * CountOf(1), death.EntriesLost);
    }

    [Fact]
    public void Record_DeathThatTheTableTellsAlready_KeepsItsProof()
    {
        var known = new NodeDeath(Member(2).Node, "seen before");
        var buried = Standing.WithMember(Member(2, MemberState.Gone)).WithDeath(known);
        var death = Assert.Single(Decide(buried, [], _ => 1).Deaths);
        Assert.Equal(("seen before", (long?)CountOf(2)), (death.Proof, death.EntriesLost));
    }

    [Fact]
    public void Record_DeathWithoutALoss_TellsNone()
    {
        var table = new Decision { Backups = 1 }.Apply(Table(64, Member(0), Member(1), Member(2)));
        var decision = new Decision { Backups = 1, IsSettled = false, Dead = [Member(1).Node], CountOf = _ => 5 };
        var next = decision.Apply(table);
        Assert.Equal(0, Assert.Single(next.Deaths).PartitionsLost);
    }

    [Fact]
    public void WithDeath_ManyDeaths_KeepsTheLatest()
    {
        var table = Table(1);
        for (var number = 0; number < ClusterTable.MaxDeaths + 3; number++)
            table = table.WithDeath(new NodeDeath(Member(number).Node, new string('x', 1_000)));
        Assert.Equal(ClusterTable.MaxDeaths, table.Deaths.Length);
        Assert.Null(table.FindDeath(Member(2).Node));
        Assert.Equal(NodeDeath.MaxProofLength, table.FindDeath(Member(3).Node)!.Proof.Length);
    }

    private static ClusterTable Decide(ClusterTable table, NodeId[] dead, Func<PartitionId, long?> countOf) =>
        new Decision { Dead = dead, CountOf = countOf, IsSettled = false }.Apply(table);

    private static int CountOf(int slot) => Standing.Partitions.Count(entry => entry.Primary == Slot(slot));
}
