using Cluster.Nodes.Coordination;
using Cluster.StateStore.Hosting.Tables;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Coordination;

[Trait("Case", "repair-C7")]
public sealed class LossRecordsTests
{
    private static ClusterTable Standing => Assigned(Member(0), Member(1), Member(2));

    [Fact]
    public void Decision_DeadNode_TellsProofAndLastCounts()
    {
        var table = Decide(Standing, [Dead(1)], count: 10);
        var death = Assert.Single(table.Deaths);
        var lost = Standing.CountOf(1);
        Assert.Equal((Node(1), Dead(1).Reason), (death.Node, death.Proof));
        Assert.Equal((lost, (long?)(10 * lost)), (death.PartitionsLost, death.EntriesLost));
    }

    [Fact]
    public void Decision_PartitionNeverCounted_IsAnUnknownNumberAndNotZero()
    {
        var counts = Enumerable.Range(1, PartitionCount - 1).ToDictionary(index => new PartitionId(index), _ => 10L);
        var owner = Standing.FindMember(Standing.Partitions[0].Primary!.Value)!;
        var number = owner.Slot.Value;
        var table = Decide(Standing, [Dead(number)], counts);
        Assert.Null(Assert.Single(table.Deaths).EntriesLost);
    }

    [Fact]
    public void Decision_NodeThatLeftWithPartitions_SaysThatItLeft()
    {
        var table = Decide(Standing.WithState(1, MemberState.Draining).WithState(1, MemberState.Gone), [], count: 3);
        var death = Assert.Single(table.Deaths);
        Assert.Contains("left", death.Proof, StringComparison.Ordinal);
        Assert.Equal(3L * Standing.CountOf(1), death.EntriesLost);
    }

    [Fact]
    public void Decision_DeathThatAJoiningNodeProved_KeepsItsProof()
    {
        var buried = Step(Standing, table => MemberChanges.MarkDead(table, [Dead(2)]));
        var table = Step(buried, standing => Decide(standing, [], count: 1));
        Assert.Equal(Dead(2).Reason, Assert.Single(table.Deaths).Proof);
        Assert.Equal(Standing.CountOf(2), table.Deaths[0].EntriesLost);
    }

    [Fact]
    public void WithDeath_ManyDeaths_KeepsTheLatest()
    {
        var table = Empty;
        for (var number = 0; number < ClusterTable.MaxDeaths + 3; number++)
            table = table.WithDeath(new NodeDeath(Node(number), new string('x', 1_000)));
        Assert.Equal(ClusterTable.MaxDeaths, table.Deaths.Length);
        Assert.Null(table.FindDeath(Node(2)));
        Assert.Equal(NodeDeath.MaxProofLength, table.FindDeath(Node(3))!.Proof.Length);
    }

    private static ClusterTable Decide(ClusterTable table, Nodes.Liveness.LivenessResult[] dead, long count) =>
        Decide(table, dead, Enumerable.Range(0, PartitionCount).ToDictionary(index => new PartitionId(index), _ => count));

    private static ClusterTable Decide(
        ClusterTable table, Nodes.Liveness.LivenessResult[] dead, Dictionary<PartitionId, long> counts) =>
        new CoordinatorDecision(dead, MoveScope.Draining, InitialNodeCount: 1, MaxMovesInFlight: 8) { Counts = counts }.Apply(table);
}
