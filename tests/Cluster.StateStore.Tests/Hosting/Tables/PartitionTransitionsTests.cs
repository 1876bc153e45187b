using Cluster.StateStore.Hosting.Tables;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Hosting.Tables;

public sealed class PartitionTransitionsTests
{
    private static readonly PartitionEntry Owned = PartitionEntry.Unowned.AssignFirst(Slot(1));
    private static readonly PartitionEntry Joined = Owned.Target(Slot(2)).Join();

    [Fact]
    public void Judge_EntriesMadeByTheEntryMethods_AreTheTransitionsOfThatName()
    {
        CheckLegal(Owned, Owned, PartitionChange.None);
        CheckLegal(PartitionEntry.Unowned, Owned, PartitionChange.FirstAssignment);
        CheckLegal(Owned, Owned.Target(Slot(2)), PartitionChange.Target);
        CheckLegal(Owned.Target(Slot(2)), Owned, PartitionChange.Target);
        CheckLegal(Owned.Target(Slot(2)), Joined, PartitionChange.Join);
        CheckLegal(Joined, Joined.Move(Slot(2)), PartitionChange.PlannedMove);
        CheckLegal(Joined, Joined.TakeOver(Slot(2)), PartitionChange.TakeOver);
        CheckLegal(Joined, Joined.Shrink(Slot(2)), PartitionChange.Shrink);
        CheckLegal(Joined.Move(Slot(2)), Joined.Move(Slot(2)).Shrink(Slot(1)), PartitionChange.Shrink);
        CheckLegal(
            PartitionEntry.Unowned,
            PartitionEntry.Unowned.AssignFirst(Slot(1), Slot(2), Slot(3)),
            PartitionChange.FirstAssignment);
        CheckLegal(Joined, Joined.Target(null, next: Slot(2), leaving: Slot(1)), PartitionChange.Target);
        CheckLegal(Joined.Target(null, next: Slot(2)), Joined.Move(Slot(2)), PartitionChange.PlannedMove);
        CheckLegal(Joined.Target(null, leaving: Slot(2)), Joined.Shrink(Slot(2)), PartitionChange.Shrink);
        CheckLegal(Owned, Owned.DeclareLost(Slot(3)), PartitionChange.DeclareLost);
        CheckLegal(Owned, Owned.DeclareLost(Slot(1)), PartitionChange.DeclareLost);
        CheckLegal(Joined, Joined.DeclareLost(Slot(3)), PartitionChange.DeclareLost);
    }

    [Fact]
    public void Judge_IllegalChange_SaysWhy()
    {
        CheckIllegal(Joined, Owned, "epoch falls from 2 to 1");
        CheckIllegal(Owned, Owned.DeclareLost(Slot(2)) with { Epoch = new Epoch(3) }, "it must rise by one");
        CheckIllegal(Owned, Owned with { Primary = Slot(2), InSync = new([Slot(2)]) }, "without a new epoch");
        CheckIllegal(Owned, Owned with { LossCount = 1 }, "without a new epoch");
        CheckIllegal(Owned, Owned.AssignFirst(Slot(2)), "no loss is declared");
        CheckIllegal(Owned, Owned.Move(Slot(2)), "the primary is not in sync");
        CheckIllegal(Owned, Owned.DeclareLost(Slot(2)) with { LossCount = 2 }, "the loss count at 1");
        CheckIllegal(Owned, Owned with { Primary = null, Epoch = new Epoch(2) }, "without a successor");
        CheckIllegal(PartitionEntry.Unowned, PartitionEntry.Unowned.Target(Slot(1)), "nobody owns");
        CheckIllegal(PartitionEntry.Unowned, Owned.Target(Slot(2)), "FirstAssignment must name");
        CheckIllegal(PartitionEntry.Unowned, Owned with { LossCount = 1 }, "FirstAssignment must name");
        CheckIllegal(Owned, Joined, "only the joining member");
        CheckIllegal(Owned, Owned with { Epoch = new Epoch(2) }, "exactly one member per epoch");
        CheckIllegal(Owned.Target(Slot(2)), Joined.Target(Slot(3)), "together with a new epoch");
        CheckIllegal(Joined, Joined.Move(Slot(2)).Target(Slot(3)), "together with a new epoch");
        CheckIllegal(Joined, Joined with { InSync = new([Slot(1), Slot(1)]) }, "listed twice");
        CheckIllegal(Joined, Joined.Target(Slot(2)), "named as joining");
        CheckIllegal(Joined, Joined.Target(null, next: Slot(1)), "the next primary is the primary");
        CheckIllegal(Joined, Joined.Target(null, next: Slot(3)), "neither in sync nor joining");
        CheckIllegal(Joined, Joined.Target(null, leaving: Slot(3)), "the leaving member is not in sync");
        CheckIllegal(Joined, Joined.Shrink(Slot(2)) with { Leaving = Slot(1) }, "another leaving member is named");
        CheckIllegal(Owned, Owned with { LossCount = -1 }, "negative");
        var wide = new EquatableArray<NodeSlot>([.. Enumerable.Range(1, 9).Select(Slot)]);
        CheckIllegal(Owned, Owned with { InSync = wide }, "9 members in sync are more than 8");
    }

    [Fact]
    public void FindViolation_FirstAssignment_IsLegal()
    {
        var table = Table(8, Member(1), Member(2));
        Assert.Null(PartitionTransitions.FindViolation(table, table.Assign()));
    }

    [Fact]
    public void FindViolation_VersionOrPartitionCountWrong_SaysWhy()
    {
        var table = Table(4, Member(1));
        Check(table, table, "must rise by exactly one");
        Check(table, table with { Version = 3 }, "must rise by exactly one");
        Check(table, Table(8, Member(1)).StartSuccessor(default), "8 partitions cannot follow 4");
    }

    [Fact]
    public void FindViolation_MemberListWrong_SaysWhy()
    {
        var table = Table(4, Member(1), Member(2, MemberState.Draining));
        CheckNext(table, t => t.WithMember(Member(2)), "goes back from Draining to Active");
        CheckNext(table, t => t.WithMember(Member(3, MemberState.Gone)), "starts as Gone");
        CheckNext(table, t => t.WithMember(Member(1, name: "other")), "passes from n1");
        CheckNext(table, t => t.WithMember(Member(1) with { Address = "x" }), "changes its address");
        CheckNext(table, t => t.WithMember(Member(1) with { Slot = Slot(7) }), "in two slots");
        CheckNext(table, t => t with { Members = [table.Members[0]] }, "removed while Draining");
        CheckNext(table, t => t with { Members = [table.Members[1], table.Members[0]] }, "ascending order");
        CheckNext(table, t => t with { Members = [Member(1) with { Slot = Slot(0) }, table.Members[1]] }, "changes its slot");
        var crowd = Enumerable.Range(0, ClusterTable.MaxMembers + 1).Select(slot => Member(slot));
        CheckNext(table, t => t with { Members = [.. crowd] }, "more than 1024");
    }

    [Fact]
    [Trait("Case", "cluster-protocol")]
    public void FindViolation_ProtocolWrong_SaysWhy()
    {
        var table = Table(4, Member(0) with { Protocol = 2 }, Member(1) with { Protocol = 3, State = MemberState.Active });
        var raised = table.StartSuccessor(Guid.NewGuid()) with { Protocol = 2 };
        Assert.Null(PartitionTransitions.FindViolation(table, raised));
        CheckProtocol(raised, raised with { Protocol = 1 }, "the protocol falls from 2 to 1");
        CheckProtocol(table, table with { Protocol = 3 }, "speaks protocol 2, and all members speak at least 3");
        CheckProtocol(raised, raised.WithMember(Member(2)), "speaks protocol 1, and all members speak at least 2");
        var other = raised.Members[1] with { Protocol = 2 };
        CheckProtocol(raised, raised.WithMember(other), "changes the protocol that it speaks");
    }

    [Fact]
    public void FindViolation_MembersGoThroughTheirLife_IsLegal()
    {
        var table = Table(4, Member(1, MemberState.Joining));
        foreach (var state in new[] { MemberState.Active, MemberState.Draining, MemberState.Gone })
        {
            var next = table.StartSuccessor(Guid.NewGuid()).WithMember(Member(1, state));
            Assert.Null(PartitionTransitions.FindViolation(table, next));
            table = next;
        }

        var forgotten = table.StartSuccessor(Guid.NewGuid()).WithoutForgottenMembers();
        Assert.Empty(forgotten.Members);
        Assert.Null(PartitionTransitions.FindViolation(table, forgotten));
    }

    [Fact]
    public void FindViolation_MemberInTheWrongState_SaysWhy()
    {
        var table = Table(2, Member(1), Member(2, MemberState.Joining), Member(3, MemberState.Draining));
        CheckNext(table, t => t.WithPartition(default, t[default].AssignFirst(Slot(2))), "is Joining, not active");
        CheckNext(table, t => t.WithPartition(default, t[default].AssignFirst(Slot(3))), "is Draining, not active");
        CheckNext(table, t => t.WithPartition(default, t[default].AssignFirst(Slot(9))), "primary 9 is no member");
        var owned = table with { Partitions = [Owned, PartitionEntry.Unowned] };
        CheckNext(owned, t => t.WithPartition(default, Owned.Target(Slot(2))), "is Joining, not active");
        CheckNext(owned, t => t.WithPartition(default, Owned.DeclareLost(Slot(1))), "is Active, not gone");
        CheckNext(owned, t => t.WithPartition(default, Owned.Target(Slot(8))), "joining 8 is no member");
    }

    [Fact]
    public void FindViolation_LossOfAPartitionWhoseMembersAreGone_IsLegal()
    {
        var table = Table(2, Member(1), Member(2)) with { Partitions = [Owned, PartitionEntry.Unowned] };
        var lost = table.StartSuccessor(Guid.NewGuid()).WithMember(Member(1, MemberState.Gone))
            .WithPartition(default, Owned.DeclareLost(Slot(2)));
        Assert.Null(PartitionTransitions.FindViolation(table, lost));
        var forgotten = lost.StartSuccessor(Guid.NewGuid()).WithoutForgottenMembers();
        Assert.Null(PartitionTransitions.FindViolation(lost, forgotten));
        Assert.Single(forgotten.Members);
    }

    [Fact]
    public void FindViolation_GoneMemberStillNamedIsRemoved_SaysWhy()
    {
        var table = Table(1, Member(1, MemberState.Gone), Member(2)) with { Partitions = [Owned] };
        Assert.Equal(2, table.WithoutForgottenMembers().Members.Length);
        CheckNext(table, t => t with { Members = [Member(2)] }, "partition 0: primary 1 is no member");
    }

    [Fact]
    public void FindFreeSlot_SlotsTakenByMembersAndEntries_SkipsBoth()
    {
        var table = Table(2, Member(0), Member(2)) with { Partitions = [Owned, Owned.Target(Slot(3))] };
        Assert.Equal(Slot(4), table.FindFreeSlot());
    }

    private static void CheckLegal(PartitionEntry from, PartitionEntry to, PartitionChange expected)
    {
        var verdict = PartitionTransitions.Validate(from, to);
        Assert.Null(verdict.Violation);
        Assert.Equal(expected, verdict.Change);
    }

    private static void CheckIllegal(PartitionEntry from, PartitionEntry to, string reason)
    {
        var verdict = PartitionTransitions.Validate(from, to);
        Assert.False(verdict.IsLegal);
        Assert.Contains(reason, verdict.Violation, StringComparison.Ordinal);
    }

    private static void Check(ClusterTable from, ClusterTable to, string reason) =>
        Assert.Contains(reason, PartitionTransitions.FindViolation(from, to), StringComparison.Ordinal);

    private static void CheckNext(ClusterTable from, Func<ClusterTable, ClusterTable> change, string reason) =>
        Check(from, change(from.StartSuccessor(Guid.NewGuid())), reason);

    private static void CheckProtocol(ClusterTable from, ClusterTable to, string violation) => Assert.Contains(
        violation,
        PartitionTransitions.FindViolation(from, to with { Version = from.Version + 1 }),
        StringComparison.Ordinal);
}
