using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Watching;

public sealed class TableChangesTests
{
    private static readonly DateTimeOffset Now = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    [Fact]
    public void Between_SameTable_IsNothing() => Check(Assigned(Member(0)), Assigned(Member(0)));

    [Fact]
    public void Between_MemberBecomesActive_Joined()
    {
        var before = With(Member(0), Member(1, MemberState.Joining));
        Check(before, before.WithState(1, MemberState.Active), ClusterEventKind.NodeJoined);
    }

    [Fact]
    public void Between_DrainedMemberGone_Left()
    {
        var before = With(Member(0), Member(1, MemberState.Draining));
        Check(before, before.WithState(1, MemberState.Gone), ClusterEventKind.NodeLeft);
        Check(before, With(Member(0)), ClusterEventKind.NodeLeft);
    }

    [Fact]
    public void Between_TablesOfTheDrainAreMissed_LeftUnlessADeathIsTold()
    {
        var before = Assigned(Member(0), Member(1));
        var drained = before with
        {
            Members = [Member(0)],
            Partitions = [.. before.Partitions.Select(
                entry => entry.Primary == Slot(1) ? entry.Target(Slot(0)).Join().TakeOver(Slot(0)) : entry)],
        };
        var toldDeath = drained.WithDeath(new NodeDeath(Node(1), "killed"));
        Check(before, drained, ClusterEventKind.NodeLeft, ClusterEventKind.PartitionsMoved);
        Check(before, toldDeath, ClusterEventKind.NodeDied, ClusterEventKind.PartitionsMoved);

        // More others have died meanwhile than a table tells of, so it may have dropped this death.
        var others = Enumerable.Range(2, ClusterTable.MaxDeaths)
            .Aggregate(toldDeath, (table, number) => table.WithDeath(new NodeDeath(Node(number), "killed")));
        Check(before, others, ClusterEventKind.NodeDied, ClusterEventKind.PartitionsMoved);
    }

    [Fact]
    public void Between_OwnerBuriedAndRescued_DiedAndLost()
    {
        var before = Assigned(Member(0), Member(1));
        var after = Step(before, table => table.WithState(1, MemberState.Gone) with
        {
            Partitions = [.. table.Partitions.Select(
                entry => entry.Primary == Slot(1) ? entry.DeclareLost(Slot(0)) : entry)],
        });
        var events = Check(before, after, ClusterEventKind.NodeDied, ClusterEventKind.PartitionsLost);
        Assert.All(events, happened => Assert.Equal(Node(1), happened.Node));
        Assert.Equal(before.CountOf(1), events[1].PartitionCount);
    }

    [Fact]
    public void OfCopies_CopiesGoAndComeBack_TellsBeginAndEndOnce()
    {
        var before = With(Member(0), Member(1)) with { SetBackups = new([1]) };
        Assert.Null(TableChanges.OfCopies(before, before, Now));
        var whole = before with { Partitions = [.. before.Partitions.Select(entry => entry.AssignFirst(Slot(0), Slot(1)))] };
        Assert.Null(TableChanges.OfCopies(before, whole, Now));
        var fewer = whole.WithPartition(default, whole.Partitions[0].Shrink(Slot(1)));
        var begin = TableChanges.OfCopies(whole, fewer, Now)!;
        Assert.Equal((ClusterEventKind.CopiesMissing, 1), (begin.Kind, begin.PartitionCount));
        var evenFewer = fewer.WithPartition(new(1), fewer.Partitions[1].Shrink(Slot(1)));
        Assert.Null(TableChanges.OfCopies(fewer, evenFewer, Now));
        Assert.Equal(ClusterEventKind.CopiesComplete, TableChanges.OfCopies(evenFewer, whole, Now)!.Kind);
    }

    [Fact]
    public void Between_FirstAssignment_AssignedToEach()
    {
        var before = With(Member(0), Member(1));
        var after = Step(before, table => table with
        {
            Partitions = [.. table.Partitions.Select((entry, index) => entry.AssignFirst(Slot(index % 2)))],
        });
        var events = Check(before, after, ClusterEventKind.PartitionsAssigned, ClusterEventKind.PartitionsAssigned);
        Assert.Equal(PartitionCount, events.Sum(happened => happened.PartitionCount));
    }

    [Fact]
    public void Between_PrimaryChangesWithoutLoss_Moved()
    {
        var before = Assigned(Member(0), Member(1));
        var index = before.Partitions.ToList().FindIndex(entry => entry.Primary == Slot(0));
        var moved = before.Partitions[index].Target(Slot(1)).Join().TakeOver(Slot(1));
        var after = before with { Version = before.Version + 3, Partitions = before.Partitions.SetItem(index, moved) };
        var events = Check(before, after, ClusterEventKind.PartitionsMoved);
        Assert.Equal((Node(1), 1), (events[0].Node!.Value, events[0].PartitionCount));
    }

    private static ClusterEvent[] Check(ClusterTable before, ClusterTable after, params ClusterEventKind[] expected)
    {
        ClusterEvent[] events = [.. TableChanges.Between(before, after, Now)];
        Assert.Equal(expected, events.Select(happened => happened.Kind));
        return events;
    }
}
