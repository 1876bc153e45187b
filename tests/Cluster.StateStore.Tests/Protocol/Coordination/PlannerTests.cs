using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Coordination;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Peers;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Protocol.Coordination;

public sealed class PlannerTests
{
    [Fact]
    public void Assign_TooFewActiveMembers_Waits()
    {
        var table = With(Member(0), Member(1), Member(2, MemberState.Joining));
        Assert.Same(table, new Decision { InitialNodeCount = 3 }.Apply(table));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void Assign_EnoughActiveMembers_GivesEachItsShare(int backups)
    {
        var decision = new Decision { InitialNodeCount = 3, Backups = backups };
        var table = decision.Apply(With(Member(0), Member(1), Member(2)));
        Assert.All(table.Partitions, entry => Assert.Equal((1L, backups + 1), (entry.Epoch.Value, entry.InSync.Count)));
        Assert.All(Enumerable.Range(0, 3), number => Assert.InRange(CountOf(table, number), 21, 22));
    }

    [Fact]
    [Trait("Case", "replica-sets")]
    public void BeginSets_StatesWithTwoNumbersOfBackups_GivesEachSetItsNumberAndEqualIndexesToTheSameMember()
    {
        var standing = ClusterTable.CreateEmpty(Decision.PartitionCount) with
        {
            Members =
            [
                Member(0) with { WantedBackups = new([1, 0]) },
                Member(1) with { WantedBackups = new([0, 1]) },
                Member(2, MemberState.Draining) with { WantedBackups = new([3]) },
            ],
        };
        var peers = new PeerBook(new ProtocolTimes(), Mutant.None);
        peers.Update(standing, Member(0).Node, now: 0);
        var view = new CoordinatorView(Slot(0), peers, new SetAside(new ProtocolTimes()), Now: 0) { IsSettled = true };
        var table = new CoordinatorPolicy(view, standing).BeginSets().Plan().ToSuccessor(Guid.NewGuid(), _ => null)!;
        Assert.Null(PartitionTransitions.FindViolation(standing, table));
        Assert.Equal(new EquatableArray<byte>([0, 1]), table.SetBackups);
        var (first, second) = (table.FindSet(0)!.Value.Value, table.FindSet(1)!.Value.Value);
        for (var index = 0; index < Decision.PartitionCount; index++)
        {
            var (single, copied) = (table.Partitions[first + index], table.Partitions[second + index]);
            Assert.Equal((1, 2), (single.InSync.Count, copied.InSync.Count));
            Assert.Equal(single.Primary, copied.Primary);
        }
    }

    [Fact]
    public void Plan_Balanced_ChangesNothing()
    {
        var table = Assigned(Member(0), Member(1));
        Assert.Same(table, new Decision().Apply(table));
    }

    [Fact]
    public void Plan_NewMemberWhileTheListIsSettling_Waits()
    {
        var table = Assigned(Member(0)).WithMember(Member(1));
        Assert.Same(table, new Decision { IsSettled = false }.Apply(table));
    }

    [Fact]
    [Trait("Case", "glue-88")]
    public void Plan_NewMember_GetsItsShareAndNoMore()
    {
        var table = Assigned(Member(0)).WithMember(Member(1));
        var after = new Decision().Apply(table);
        Assert.InRange(after.Partitions.Count(entry => entry.Joining == Slot(1) && entry.Next == Slot(1)), 31, 32);
        Assert.All(after.Partitions, entry => Assert.Equal((Slot(0), 1L), (entry.Primary!.Value, entry.Epoch.Value)));
    }

    [Fact]
    public void Plan_MovesUnderWay_StayAndNoneIsAdded()
    {
        var first = new Decision().Apply(Assigned(Member(0)).WithMember(Member(1)));
        Assert.Same(first, new Decision().Apply(first));
        Assert.Same(first, new Decision { IsSettled = false }.Apply(first));
    }

    /// <summary>The two heirs of a silent member take over one after the other. Between the two, one of them has more
    /// primaries than the other.</summary>
    [Fact]
    [Trait("Case", "cluster-F8")]
    public void Balance_WhileATakeOverIsAwaited_Waits()
    {
        ClusterMember[] members = [Member(0), Member(1), Member(2)];
        var before = new Decision { Backups = 1, InitialNodeCount = 3 }.Apply(With(members));
        var half = new Decision { Backups = 1, Silent = [Member(2).Node], Wishes = TakeOvers(1) }.Apply(before);
        Assert.True(CountOf(half, 1) > CountOf(half, 0) + 1);
        Assert.All(half.Partitions, entry => Assert.Null(entry.Next));

        var whole = new Decision { Backups = 1, Silent = [Member(2).Node], Wishes = TakeOvers(0) }.Apply(half);
        Assert.Equal(0, CountOf(whole, 2));
        Assert.InRange(CountOf(whole, 0) - CountOf(whole, 1), -1, 1);

        (NodeSlot, Wish)[] TakeOvers(int heir) =>
        [
            .. before.Partitions.Select((entry, index) => (entry, index))
                .Where(each => each.entry.Primary == Slot(2) && each.entry.InSync.Items.Contains(Slot(heir)))
                .Select(each => (Slot(heir), new Wish(
                    new PartitionId(each.index), PartitionChange.TakeOver, Slot(heir), each.entry.Epoch.Value))),
        ];
    }

    [Fact]
    public void Plan_DrainingMember_IsEmptiedAtOnceAndNobodyElse()
    {
        var table = Assigned(Member(0), Member(1), Member(2)).WithMember(Member(0, MemberState.Draining));
        var after = new Decision { IsSettled = false, Self = Slot(1) }.Apply(table);
        Assert.All(after.Partitions.Where(entry => entry.Primary == Slot(0)), entry => Assert.NotNull(entry.Next));
        Assert.All(after.Partitions.Where(entry => entry.Primary != Slot(0)), entry => Assert.Null(entry.Joining));
        Assert.DoesNotContain(after.Partitions, entry => entry.Next == Slot(0) || entry.Joining == Slot(0));
    }

    [Fact]
    public void Plan_DrainingMemberWithoutSuccessor_KeepsWhatItHas()
    {
        var table = Assigned(Member(0)).WithMember(Member(0, MemberState.Draining));
        Assert.Same(table, new Decision().Apply(table));
    }

    [Fact]
    public void Plan_TargetIsSetAsideBecauseOfOnePartition_KeepsItsOtherCopies()
    {
        var table = Assigned(Member(0)).WithMember(Member(1)).WithMember(Member(2));
        var planned = new Decision { Backups = 1 }.Apply(table);
        Assert.Contains(planned.Partitions, entry => entry.Joining == Slot(1));
        var setAside = new SetAside(new ProtocolTimes());
        setAside.Failed(Slot(1), now: 0);
        Assert.Same(planned, new Decision { Backups = 1, SetAside = setAside }.Apply(planned));
    }

    [Fact]
    public void Plan_MissingBackup_IsCopiedToAMemberThatIsNotSetAside()
    {
        var table = Assigned(Member(0)).WithMember(Member(1)).WithMember(Member(2));
        var setAside = new SetAside(new ProtocolTimes());
        setAside.Failed(Slot(1), now: 0);
        var after = new Decision { Backups = 1, SetAside = setAside }.Apply(table);
        Assert.All(after.Partitions, entry => Assert.Equal(Slot(2), entry.Joining));
    }

    [Fact]
    public void Plan_AllPlacesTakenByMembersThatDrain_MakesRoomFirst()
    {
        var members = Enumerable.Range(0, 9)
            .Select(slot => Member(slot, slot < 7 ? MemberState.Draining : MemberState.Active));
        var table = With([.. members]);
        NodeSlot[] backups = [.. Enumerable.Range(1, 7).Select(Slot)];
        var full = PartitionEntry.Unowned.AssignFirst(Slot(0), backups);
        table = table with { Partitions = [.. table.Partitions.Select(_ => full)] };
        var after = new Decision { Backups = 1, Self = Slot(7) }.Apply(table);
        Assert.All(
            after.Partitions,
            entry => Assert.Equal((null, Slot(7), Slot(0)), (entry.Joining, entry.Next, entry.Leaving)));
        var joining = full.Target(Slot(8));
        Assert.Null(new Wish(default, PartitionChange.Join, Slot(8), 1).Apply(joining));
    }

    [Fact]
    public void Plan_OwnerGoneWithoutCopy_DeclaresTheLossAndBeginsEmptyElsewhere()
    {
        var table = Assigned(Member(0), Member(1), Member(2));
        var owned = CountOf(table, 1);
        var after = new Decision { Dead = [Member(1).Node], IsSettled = false }.Apply(table);
        Assert.Equal(0, CountOf(after, 1));
        Assert.Equal(owned, after.Partitions.Count(entry => entry.LossCount == 1 && entry.Epoch.Value == 2));
        Assert.Equal(64 - owned, after.Partitions.Count(entry => entry.LossCount == 0 && entry.Epoch.Value == 1));
    }

    [Fact]
    public void Plan_OwnerGoneAndABackupInSync_LosesNothing()
    {
        var table = new Decision { Backups = 1 }.Apply(With(Member(0), Member(1)));
        var decision = new Decision { Backups = 1, Self = Slot(1), IsSettled = false };
        var after = (decision with { Dead = [Member(0).Node] }).Apply(table);
        Assert.All(after.Partitions, entry => Assert.Equal((0, 2), (entry.LossCount, entry.InSync.Count)));
        var wishes = Enumerable.Range(0, 64)
            .Where(index => after.Partitions[index].Primary == Slot(0))
            .Select(index => (Slot(1), new Wish(new PartitionId(index), PartitionChange.TakeOver, Slot(1), 1)));
        after = (decision with { Wishes = [.. wishes] }).Apply(after);
        Assert.All(after.Partitions, entry => Assert.Equal((Slot(1), 0), (entry.Primary!.Value, entry.LossCount)));
    }

    [Fact]
    public void Plan_NoActiveMemberLeft_WaitsForOne()
    {
        var table = Assigned(Member(0)).WithMember(Member(0, MemberState.Gone));
        Assert.Same(table, new Decision().Apply(table));
        var after = new Decision { Self = Slot(1) }.Apply(table.WithMember(Member(1)));
        Assert.All(after.Partitions, entry => Assert.Equal((Slot(1), 1), (entry.Primary!.Value, entry.LossCount)));
    }

    [Theory]
    [InlineData(MemberState.Draining)]
    [InlineData(MemberState.Gone)]
    public void Plan_TargetThatIsNoLongerActive_IsTakenBack(MemberState state)
    {
        var table = Assigned(Member(0)).WithMember(Member(1, state));
        table = table.WithPartition(new PartitionId(5), table.Partitions[5].Target(Slot(1), Slot(1)));
        var after = new Decision { IsSettled = false }.Apply(table);
        Assert.Equal((null, null), (after.Partitions[5].Joining, after.Partitions[5].Next));
        Assert.Equal(table.Partitions[5].Epoch, after.Partitions[5].Epoch);
    }

    private static ClusterTable With(params ClusterMember[] members) => Table(Decision.PartitionCount, members);

    private static ClusterTable Assigned(params ClusterMember[] members) => new Decision().Apply(With(members));

    private static int CountOf(ClusterTable table, int slot) =>
        table.Partitions.Count(entry => entry.Primary == Slot(slot));
}
