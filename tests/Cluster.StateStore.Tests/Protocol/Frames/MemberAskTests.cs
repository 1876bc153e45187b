using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Frames;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Protocol.Frames;

public sealed class MemberAskTests
{
    [Fact]
    public void Enter_NewMember_GetsTheLowestFreeSlot()
    {
        var table = Enter(Table(1, Member(0), Member(2)), Member(7, MemberState.Joining));
        var joined = table.FindMember(Member(7).Node)!;
        Assert.Equal((Slot(1), MemberState.Joining), (joined.Slot, joined.State));
        Assert.Equal([0, 1, 2], table.Members.Select(member => (int)member.Slot.Value));
    }

    [Fact]
    public void Enter_SlotStillNamedByAPartition_IsNotReused()
    {
        var table = Table(8, Member(0), Member(1)).Assign();
        table = table with { Members = table.Members.RemoveAt(0) };
        Assert.Equal(Slot(2), Enter(table, Member(9)).FindMember(Member(9).Node)!.Slot);
    }

    [Theory]
    [InlineData(MemberState.Draining, MemberState.Draining)]
    [InlineData(MemberState.Draining, MemberState.Active)]
    [InlineData(MemberState.Gone, MemberState.Joining)]
    public void Enter_SameOrEarlierState_ChangesNothing(MemberState listed, MemberState asked)
    {
        var table = Table(1, Member(0, listed));
        Assert.Same(table, Enter(table, Member(0, asked)));
    }

    [Theory]
    [InlineData(MemberState.Draining)]
    [InlineData(MemberState.Gone)]
    public void Enter_UnknownMemberThatLeaves_ChangesNothing(MemberState asked)
    {
        var table = Table(1, Member(0));
        Assert.Same(table, Enter(table, Member(5, asked)));
    }

    [Fact]
    public void Enter_LaterState_KeepsSlotAndAddress()
    {
        var asked = Member(3, MemberState.Draining) with { Slot = Slot(9), Address = "elsewhere" };
        var table = Enter(Table(1, Member(3)), asked);
        Assert.Equal(Member(3, MemberState.Draining), Assert.Single(table.Members));
    }

    [Fact]
    public void Enter_FullList_ChangesNothing()
    {
        var table = Table(1, [.. Enumerable.Range(0, ClusterTable.MaxMembers).Select(slot => Member(slot))]);
        Assert.Same(table, Enter(table, Member(5_000)));
    }

    private static ClusterTable Enter(ClusterTable table, ClusterMember member) => new MemberAsk(member).Enter(table);
}
