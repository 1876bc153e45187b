using Cluster.Nodes.Coordination;
using Cluster.StateStore.Hosting.Tables;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Coordination;

public sealed class PartitionChangesTests
{
    [Fact]
    public void AssignFirst_TooFewActiveMembers_Waits()
    {
        var table = With(Member(0), Member(1), Member(2, MemberState.Joining));
        Assert.Same(table, PartitionChanges.AssignFirst(table, initialNodeCount: 3));
    }

    [Fact]
    public void AssignFirst_EnoughActiveMembers_GivesEachItsShare()
    {
        var table = Step(With(Member(0), Member(1), Member(2)), t => PartitionChanges.AssignFirst(t, initialNodeCount: 3));
        Assert.All(table.Partitions, entry => Assert.Equal(1, entry.Epoch.Value));
        Assert.All(Enumerable.Range(0, 3), number => Assert.InRange(table.CountOf(number), 18, 24));
    }

    [Fact]
    public void Rescue_NobodyGone_ChangesNothing()
    {
        var table = Assigned(Member(0), Member(1));
        Assert.Same(table, PartitionChanges.Reassign(table));
    }

    [Fact]
    public void Rescue_OwnerGoneWithoutCopy_DeclaresTheLossAndBeginsEmptyElsewhere()
    {
        var table = Assigned(Member(0), Member(1), Member(2));
        var owned = table.CountOf(1);
        var after = Step(table, t => PartitionChanges.Reassign(MemberChanges.MarkDead(t, [Dead(1)])));
        Assert.Equal(0, after.CountOf(1));
        Assert.Equal(owned, after.Partitions.Count(entry => entry.LossCount == 1 && entry.Epoch.Value == 2));
        Assert.Equal(PartitionCount - owned, after.Partitions.Count(entry => entry.LossCount == 0 && entry.Epoch.Value == 1));
    }

    [Fact]
    public void Rescue_OwnerGoneAfterItsTargetIsInSync_LosesNothing()
    {
        var table = Assigned(Member(0), Member(1));
        var index = table.Partitions.ToList().FindIndex(entry => entry.Primary == Slot(0));
        table = Edit(table, index, entry => entry.Target(Slot(1)));
        table = Edit(table, index, entry => entry.Join());
        var after = Step(table, t => PartitionChanges.Reassign(MemberChanges.MarkDead(t, [Dead(0)])));
        Assert.Equal(Slot(1), after.Partitions[index].Primary);
        Assert.Equal(0, after.Partitions[index].LossCount);
    }

    [Fact]
    public void Rescue_NoActiveMemberLeft_WaitsForOne()
    {
        var table = Assigned(Member(0)).WithState(0, MemberState.Gone);
        Assert.Same(table, PartitionChanges.Reassign(table));
        var joined = table with { Members = table.Members.Add(Member(1)) };
        var after = Step(joined, PartitionChanges.Reassign);
        Assert.All(after.Partitions, entry => Assert.Equal((Slot(1), 1), (entry.Primary!.Value, entry.LossCount)));
    }

    [Theory]
    [InlineData(MemberState.Draining)]
    [InlineData(MemberState.Gone)]
    public void Rescue_TargetThatIsNoLongerActive_IsTakenBack(MemberState state)
    {
        var table = Assigned(Member(0));
        table = table with { Members = table.Members.Add(Member(1)) };
        table = Edit(table, 5, entry => entry.Target(Slot(1)));
        var after = Step(table.WithState(1, state), PartitionChanges.Reassign);
        Assert.Null(after.Partitions[5].Joining);
        Assert.Equal(table.Partitions[5].Epoch, after.Partitions[5].Epoch);
    }

    [Fact]
    public void Rescue_CopyGone_IsNoLongerInSync()
    {
        var table = Assigned(Member(0));
        table = table with { Members = table.Members.Add(Member(1)) };
        table = Edit(Edit(table, 3, entry => entry.Target(Slot(1))), 3, entry => entry.Join());
        var after = Step(table.WithState(1, MemberState.Gone), PartitionChanges.Reassign);
        Assert.Equal([Slot(0)], after.Partitions[3].InSync);
    }

    private static ClusterTable Edit(ClusterTable table, int partition, Func<PartitionEntry, PartitionEntry> change) =>
        Step(table, t => PartitionChanges.Edit(t, (index, entry) => index == partition ? change(entry) : entry));
}
