using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Frames;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Protocol.Coordination;

/// <summary>What nodes ask the coordinator for, and what they may not have.</summary>
public sealed class CoordinatorPolicyTests
{
    /// <summary>Partition 0 is on member 0 with a backup on 1; 2 joins it.</summary>
    private static ClusterTable Standing { get; } = Table(2, Member(0), Member(1), Member(2)) with
    {
        Partitions =
        [
            PartitionEntry.Unowned.AssignFirst(Slot(0), Slot(1)).Target(Slot(2)),
            PartitionEntry.Unowned.AssignFirst(Slot(1), Slot(2)),
        ],
    };

    [Theory]
    [InlineData(1, PartitionChange.TakeOver, 1)]
    [InlineData(0, PartitionChange.Shrink, 1)]
    [InlineData(0, PartitionChange.Join, 2)]
    [InlineData(0, PartitionChange.PlannedMove, 1)]
    [InlineData(0, PartitionChange.Target, 2)]
    internal void Grant_WishOfTheRightNode_IsInTheNextTable(int from, PartitionChange change, int member)
    {
        var next = Decide(from, new Wish(default, change, Slot(member), 1)).Apply(Standing);
        Assert.Equal(change, PartitionTransitions.Validate(Standing.Partitions[0], next.Partitions[0]).Change);
    }

    [Theory]
    [InlineData(2, PartitionChange.TakeOver, 1)]
    [InlineData(2, PartitionChange.TakeOver, 2)]
    [InlineData(0, PartitionChange.TakeOver, 0)]
    [InlineData(1, PartitionChange.Shrink, 0)]
    [InlineData(0, PartitionChange.Shrink, 0)]
    [InlineData(0, PartitionChange.Shrink, 2)]
    [InlineData(2, PartitionChange.Join, 2)]
    [InlineData(0, PartitionChange.Join, 1)]
    [InlineData(1, PartitionChange.PlannedMove, 1)]
    [InlineData(0, PartitionChange.PlannedMove, 2)]
    [InlineData(0, PartitionChange.PlannedMove, 9)]
    [InlineData(1, PartitionChange.Target, 2)]
    [InlineData(0, PartitionChange.Target, 1)]
    [InlineData(0, PartitionChange.DeclareLost, 0)]
    [InlineData(0, PartitionChange.FirstAssignment, 0)]
    [InlineData(9, PartitionChange.TakeOver, 9)]
    internal void Grant_WishOfAnotherNodeOrMember_IsRefusedAndCounted(int from, PartitionChange change, int member) =>
        CheckRefused(Standing, from, new Wish(default, change, Slot(member), 1));

    [Fact]
    public void Grant_ImpossiblePartitionOrEpoch_IsRefusedAndCounted()
    {
        CheckRefused(Standing, 0, new Wish(new PartitionId(2), PartitionChange.Join, Slot(2), 1));
        CheckRefused(Standing, 0, new Wish(new PartitionId(-1), PartitionChange.Join, Slot(2), 1));
        CheckRefused(Standing, 0, new Wish(default, PartitionChange.Join, Slot(2), 0));
        CheckRefused(Standing, 0, new Wish(default, PartitionChange.Join, Slot(2), 2));
        CheckRefused(Standing, 0, new Wish(default, PartitionChange.Join, Slot(2), -1));
    }

    [Fact]
    public void Grant_WishOfANodeThatIsGone_IsRefusedAndCounted()
    {
        var table = Standing.WithMember(Member(1, MemberState.Gone));
        CheckRefused(table, 1, new Wish(default, PartitionChange.TakeOver, Slot(1), 1));
        CheckRefused(table, 0, new Wish(default, PartitionChange.PlannedMove, Slot(1), 1));
    }

    [Fact]
    public void Grant_TwoWishesForAPartition_TheSecondIsRefusedAndCounted()
    {
        var wishes = new[]
        {
            (Slot(1), new Wish(default, PartitionChange.TakeOver, Slot(1), 1)),
            (Slot(0), new Wish(default, PartitionChange.Join, Slot(2), 1)),
        };
        var decision = new Decision { Backups = 1, Wishes = wishes };
        Assert.Equal(1, decision.CountRefused(Standing));
    }

    [Fact]
    public void Bury_NodeThatTheTableDoesNotList_ChangesNothing()
    {
        var table = Table(2, Member(0)).Assign();
        Assert.Same(table, new Decision { Dead = [Member(7).Node] }.Apply(table));
    }

    [Fact]
    public void Bury_GoneMemberThatNothingNames_IsForgotten()
    {
        var table = Table(2, Member(0)).Assign().WithMember(Member(1, MemberState.Gone));
        Assert.Null(new Decision().Apply(table).FindMember(Member(1).Node));
    }

    [Fact]
    public void Bury_GoneMemberThatABackupNames_StaysUntilItIsShrunk()
    {
        var table = Standing.WithMember(Member(1, MemberState.Gone));
        var next = new Decision { Backups = 1, IsSettled = false }.Apply(table);
        Assert.NotNull(next.FindMember(Member(1).Node));
    }

    [Fact]
    public void Bury_MemberThatDiedJustNow_StaysForOneVersion()
    {
        var table = Table(2, Member(0)).Assign().WithMember(Member(1));
        var buried = new Decision { Dead = [Member(1).Node], IsSettled = false }.Apply(table);
        Assert.Equal(MemberState.Gone, buried.FindMember(Member(1).Node)!.State);
        Assert.Null(new Decision().Apply(buried).FindMember(Member(1).Node));
    }

    /// <summary>A coordinator that is cut off finds its own backups slow before it finds them silent.</summary>
    [Fact]
    public void Grant_ShrinkOfTheCoordinatorItself_IsRefusedWhenItHasHeardNobodyForASecond()
    {
        var decision = Decide(from: 0, new Wish(default, PartitionChange.Shrink, Slot(1), 1));
        Assert.Equal(0, decision.CountRefused(Standing));
        Assert.Equal(1, (decision with { HeardBefore = TimeSpan.FromSeconds(1) }).CountRefused(Standing));
    }

    private static Decision Decide(int from, Wish wish) =>
        new() { Backups = 1, IsSettled = false, Wishes = [(Slot(from), wish)] };

    private static void CheckRefused(ClusterTable table, int from, Wish wish) =>
        Assert.Equal(1, Decide(from, wish).CountRefused(table));
}
