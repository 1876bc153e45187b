using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Nodes;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Protocol.Nodes;

public sealed class MembershipTests
{
    private static readonly ProtocolTimes Times = new();
    private readonly Membership _membership = new(new NodeOptions
    {
        Member = Member(1, MemberState.Joining), ClusterId = Guid.NewGuid(), NewGuid = Guid.NewGuid, Times = Times,
    });

    [Theory]
    [InlineData(null, MemberState.Joining)]
    [InlineData(MemberState.Joining, MemberState.Active)]
    [InlineData(MemberState.Active, null)]
    [InlineData(MemberState.Draining, null)]
    [InlineData(MemberState.Gone, null)]
    public void FindWanted_Active_JoinsInOrder(MemberState? listed, MemberState? wanted) => Check(listed, wanted);

    [Theory]
    [InlineData(null, MemberState.Joining)]
    [InlineData(MemberState.Joining, MemberState.Active)]
    [InlineData(MemberState.Active, MemberState.Draining)]
    [InlineData(MemberState.Draining, null)]
    public void FindWanted_Drained_StaysInTheList(MemberState? listed, MemberState? wanted)
    {
        _membership.Aim(MemberGoal.Drained);
        Check(listed, wanted);
    }

    [Fact]
    public void FindWanted_GoneWhenEmpty_WaitsUntilNothingNamesIt()
    {
        _membership.Aim(MemberGoal.GoneWhenEmpty);
        var draining = Listed(MemberState.Draining);
        Assert.Null(FindWanted(draining, isEmpty: false));
        var named = draining.WithPartition(default, PartitionEntry.Unowned.AssignFirst(Slot(1)));
        Assert.Null(FindWanted(named, isEmpty: true));
        Assert.Equal(MemberState.Gone, FindWanted(draining, isEmpty: true)!.State);
    }

    [Fact]
    public void FindWanted_Gone_LeavesWithWhateverItHas()
    {
        _membership.Aim(MemberGoal.Gone);
        Check(MemberState.Active, MemberState.Gone);
        Check(MemberState.Joining, MemberState.Gone);
        Check(MemberState.Gone, null);
        Assert.True(_membership.IsOverdue(default));
    }

    [Fact]
    public void Aim_LowerGoal_ChangesNothing()
    {
        _membership.Aim(MemberGoal.Gone);
        _membership.Aim(MemberGoal.Active);
        Assert.Equal((MemberGoal.Gone, false), (_membership.Goal, _membership.MayCoordinate));
    }

    [Fact]
    public void FindWanted_ListedAsGone_NeverComesBack()
    {
        Assert.True(Membership.HasLeft(Listed(MemberState.Gone), Member(1).Node));
        _membership.End();
        Check(null, null);
    }

    [Fact]
    public void IsOverdue_CoordinatorDoesNothing_AfterTwiceTheTime()
    {
        Assert.False(_membership.IsOverdue(new Moment(100, 0)));
        Assert.False(_membership.IsOverdue(new Moment(100 + (2 * Times.Direct.Ticks) - 1, 0)));
        Assert.True(_membership.IsOverdue(new Moment(100 + (2 * Times.Direct.Ticks), 0)));
        _membership.Retry();
        Assert.False(_membership.IsOverdue(new Moment(100 + (2 * Times.Direct.Ticks), 0)));
    }

    private void Check(MemberState? listed, MemberState? wanted) =>
        Assert.Equal(wanted, FindWanted(Listed(listed), isEmpty: false)?.State);

    private static ClusterTable Listed(MemberState? state) =>
        state is { } known ? Table(1, Member(1, known)) : Table(1);

    private ClusterMember? FindWanted(ClusterTable table, bool isEmpty) =>
        _membership.FindWanted(table, table.FindMember(Member(1).Node), () => isEmpty);
}
