using Cluster.Nodes.Coordination;
using Cluster.StateStore.Hosting.Tables;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Coordination;

public sealed class MemberChangesTests
{
    [Fact]
    public void Join_NewMember_GetsTheLowestFreeSlotAndIsJoining()
    {
        var table = Step(With(Member(0), Member(2)), t => MemberChanges.Join(t, Member(7)));
        var joined = table.FindMember(Node(7))!;
        Assert.Equal(Slot(1), joined.Slot);
        Assert.Equal(MemberState.Joining, joined.State);
        Assert.Equal([0, 1, 2], table.Members.Select(member => (int)member.Slot.Value));
    }

    [Fact]
    public void Join_SlotStillNamedByAPartition_IsNotReused()
    {
        var table = Assigned(Member(0), Member(1));
        table = table with { Members = table.Members.RemoveAt(0) };
        var joined = MemberChanges.Join(table, Member(9)).FindMember(Node(9))!;
        Assert.Equal(Slot(2), joined.Slot);
    }

    [Fact]
    public void Join_MemberThatIsListed_ChangesNothing()
    {
        var table = With(Member(0));
        Assert.Same(table, MemberChanges.Join(table, Member(0)));
    }

    [Fact]
    public void Advance_BackwardsOrUnknown_ChangesNothing()
    {
        var table = With(Member(0, MemberState.Draining));
        Assert.Same(table, MemberChanges.Advance(table, Node(0), MemberState.Active));
        Assert.Same(table, MemberChanges.Advance(table, Node(5), MemberState.Gone));
    }

    [Fact]
    public void Prune_GoneMemberThatNothingNames_IsForgotten()
    {
        var table = Step(With(Member(0), Member(1, MemberState.Gone)), t => MemberChanges.Prune(t, t));
        Assert.Null(table.FindMember(Node(1)));
    }

    [Fact]
    public void Prune_GoneMemberThatOwns_Stays()
    {
        var table = Assigned(Member(0), Member(1)).WithState(1, MemberState.Gone);
        Assert.Same(table, MemberChanges.Prune(table, table));
    }

    [Fact]
    public void Prune_MemberBuriedInTheSameChange_StaysForOneVersion()
    {
        var standing = With(Member(0), Member(1));
        var buried = MemberChanges.MarkDead(standing, [Dead(1)]);
        Assert.Same(buried, MemberChanges.Prune(standing, buried));
    }
}
