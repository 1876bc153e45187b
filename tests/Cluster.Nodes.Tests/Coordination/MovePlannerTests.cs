using Cluster.Nodes.Coordination;
using Cluster.StateStore.Hosting.Tables;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Coordination;

public sealed class MovePlannerTests
{
    [Fact]
    public void Plan_Balanced_ChangesNothing()
    {
        var table = Assigned(Member(0), Member(1));
        Assert.Same(table, Plan(table, MoveScope.Balancing, 32));
    }

    [Fact]
    public void Plan_NewMemberWhileTheListIsSettling_Waits()
    {
        var table = Assigned(Member(0));
        table = table with { Members = table.Members.Add(Member(1)) };
        Assert.Same(table, Plan(table, MoveScope.Draining, 32));
    }

    [Fact]
    public void Plan_NewMember_GetsTargetsUpToTheLimit()
    {
        var table = Assigned(Member(0));
        table = table with { Members = table.Members.Add(Member(1)) };
        var after = Step(table, t => Plan(t, MoveScope.Balancing, 4));
        Assert.Equal(4, after.Partitions.Count(entry => entry.Joining == Slot(1)));
        Assert.All(after.Partitions, entry => Assert.Equal((Slot(0), 1L), (entry.Primary!.Value, entry.Epoch.Value)));
    }

    [Fact]
    public void Plan_MovesUnderWay_CountAgainstTheLimitAndStay()
    {
        var table = Assigned(Member(0));
        table = table with { Members = table.Members.Add(Member(1)) };
        var first = Step(table, t => Plan(t, MoveScope.Balancing, 4));
        Assert.Same(first, Plan(first, MoveScope.Balancing, 4));
    }

    [Fact]
    public void Plan_DrainingMember_IsEmptiedAtOnceWithinTheTargetsLimits()
    {
        var table = Assigned(Member(0), Member(1), Member(2)).WithState(0, MemberState.Draining);
        var after = Step(table, t => Plan(t, MoveScope.Draining, 8));
        Assert.Equal(16, after.Partitions.Count(entry => entry.Primary == Slot(0) && entry.Joining is not null));
        Assert.All(after.Partitions.Where(entry => entry.Primary != Slot(0)), entry => Assert.Null(entry.Joining));
    }

    [Fact]
    public void Plan_DrainingMemberWithoutSuccessor_KeepsWhatItHas()
    {
        var table = Assigned(Member(0)).WithState(0, MemberState.Draining);
        Assert.Same(table, Plan(table, MoveScope.Balancing, 8));
    }

    private static ClusterTable Plan(ClusterTable table, MoveScope scope, int movesMax) =>
        MovePlanner.Plan(table, table, scope, movesMax);
}
