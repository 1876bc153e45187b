using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Coordination;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Nodes;
using Cluster.StateStore.Protocol.Peers;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Protocol.Coordination;

/// <summary>When the coordinator decides. Times are in milliseconds.</summary>
public sealed class CoordinatorCoreTests
{
    private static readonly ProtocolTimes Times = new();
    private readonly CoordinatorCore _core;
    private readonly PeerBook _peers = new(Times, Mutant.None);
    private ClusterTable _table = Table(4, With(0)).Assign() with { SetBackups = new([0]) };

    public CoordinatorCoreTests()
    {
        var options = new NodeOptions { Member = Member(0), ClusterId = Guid.NewGuid(), NewGuid = Guid.NewGuid };
        _core = new CoordinatorCore(options with { Times = Times });
        _core.Activate(true);
        Adopt(_table, 0);
        Decide(0);
    }

    [Fact]
    public void Decide_NotTheCoordinator_DecidesNothing()
    {
        _core.Activate(false);
        _core.Asked(new MemberAsk(Member(1)), isUrgent: true, Ticks(100));
        Assert.Null(Decide(10_000));
    }

    [Fact]
    public void Activate_RoleLostAndRegained_ForgetsWhatWasAsked()
    {
        _core.Asked(new MemberAsk(Member(1)), isUrgent: false, Ticks(100));
        _core.Activate(false);
        _core.Activate(true);
        Assert.Null(Decide(10_000));
    }

    [Fact]
    public void Decide_AskForMembership_CollectsOthersForAWhile()
    {
        _core.Asked(new MemberAsk(Member(1)), isUrgent: false, Ticks(10));
        Assert.Null(Decide(50));
        _core.Asked(new MemberAsk(Member(2)), isUrgent: false, Ticks(60));
        Assert.Equal(3, Decide(210)!.Members.Length);
    }

    [Fact]
    public void Decide_UrgentWish_WaitsOnlyShortly()
    {
        Adopt(_table.StartSuccessor(Guid.NewGuid()).WithMember(Member(1)), 10);
        var entry = _table.Partitions[0] with { InSync = new([Slot(0), Slot(1)]) };
        Adopt(_table.StartSuccessor(Guid.NewGuid()).WithPartition(default, entry), 20);
        Assert.Null(Decide(30));
        var wish = new Wish(default, PartitionChange.PlannedMove, Slot(1), 1);
        _core.Asked(Slot(0), new Proposal(_table.Version, [wish]), Ticks(40));
        Assert.Null(Decide(110));
        Assert.Equal(Slot(1), Decide(120)!.Partitions[0].Primary);
    }

    [Fact]
    [Trait("Case", "cluster-protocol")]
    public void Decide_AllMembersSpeakAVersion_RaisesTheProtocolAfterTheDelay()
    {
        AdoptSpeaking(2);
        Assert.Null(Decide(1_000));
        Assert.Null(Decide(600_800));
        var raised = Decide(601_000)!;
        Assert.Equal(2, raised.Protocol);
        Assert.Null(PartitionTransitions.FindViolation(_table, raised));
        Adopt(raised, 601_100);
        Assert.Null(Decide(10_000_000));
    }

    [Fact]
    [Trait("Case", "cluster-protocol")]
    public void Decide_OneMemberSpeaksLess_NeverRaisesTheProtocol()
    {
        AdoptSpeaking(2, 1);
        Assert.NotEqual(2, Decide(1_000)?.Protocol);
        Assert.NotEqual(2, Decide(10_000_000)?.Protocol);
    }

    [Fact]
    [Trait("Case", "cluster-protocol")]
    public void Decide_MemberWithLessComesBackWithinTheDelay_BeginsTheDelayAgain()
    {
        AdoptSpeaking(2);
        Assert.Null(Decide(1_000));
        _core.Asked(new MemberAsk(Member(1)), isUrgent: false, Ticks(500_000));
        var joined = Decide(601_000)!;
        Assert.Equal((1, 2), (joined.Protocol, joined.Members.Length));
        Adopt(joined, 601_100);
        Assert.Null(Decide(2_000_000));
    }

    [Fact]
    [Trait("Case", "cluster-protocol")]
    public void Decide_NodeBelowTheRaisedProtocolAsks_IsNotEntered()
    {
        AdoptSpeaking(2);
        Adopt(_table with { Version = _table.Version + 1, Protocol = 2 }, 600);
        _core.Asked(new MemberAsk(Member(1)), isUrgent: false, Ticks(700));
        Assert.Null(Decide(1_000));
        _core.Asked(new MemberAsk(Member(1) with { Protocol = 3 }), isUrgent: false, Ticks(1_100));
        Assert.Equal(2, Decide(2_000)!.Members.Length);
    }

    [Fact]
    public void Decide_WishForAnotherVersion_IsNotInTheTable()
    {
        var wish = new Wish(default, PartitionChange.TakeOver, Slot(0), 1);
        _core.Asked(Slot(0), new Proposal(_table.Version - 1, [wish]), Ticks(10));
        _core.Asked(Slot(1), new Proposal(_table.Version + 1, [wish]), Ticks(10));
        Assert.Null(Decide(1_000));
        Assert.Equal(0, _core.RefusedWishes);
    }

    [Fact]
    public void Decide_WishThatItsSenderMayNotHave_IsCounted()
    {
        var wish = new Wish(default, PartitionChange.TakeOver, Slot(3), 1);
        _core.Asked(Slot(3), new Proposal(_table.Version, [wish]), Ticks(10));
        Assert.Null(Decide(1_000));
        Assert.Equal(1, _core.RefusedWishes);
    }

    [Fact]
    public void Decide_MembersChange_StartsTheWaitForMovesAnew()
    {
        Adopt(_table.StartSuccessor(Guid.NewGuid()).WithMember(With(1)), 1_000);
        Assert.Null(Decide(2_900));
        Adopt(_table.StartSuccessor(Guid.NewGuid()).WithMember(With(2)), 2_950);
        Assert.Null(Decide(4_900));
        Assert.Contains(Decide(5_150)!.Partitions, entry => entry.Joining is not null);
    }

    [Fact]
    [Trait("Case", "cluster-F17")]
    public void Decide_OneOfTheMovesForAnEvenLoad_WaitsForTheOthers()
    {
        var moves = PlanMoves();
        WishJoins(4_100, moves[0]);
        Assert.Null(Decide(4_900));
        WishJoins(4_910, moves);
        Assert.Equal(moves.Length, CountCopies(Decide(5_150)!));
    }

    [Fact]
    [Trait("Case", "cluster-F17")]
    public void Decide_OtherMovesForAnEvenLoadTakeLong_WaitsForAWhileOnly()
    {
        var moves = PlanMoves();
        WishJoins(4_100, moves[0]);
        Assert.Null(Decide(5_990));
        Assert.Equal(1, CountCopies(Decide(6_250)!));
    }

    [Fact]
    public void Decide_CopyThatIsMissing_WaitsForNoOther()
    {
        var moves = PlanMoves();
        var entry = _table.Partitions[moves[0]] with { Leaving = null };
        Adopt(_table.WithPartition(new PartitionId(moves[0]), entry), 4_010);
        WishJoins(4_100, moves[0]);
        Assert.Equal(1, CountCopies(Decide(4_450)!));
    }

    /// <summary>A peer may send any number that some table could have.</summary>
    [Theory]
    [InlineData(PartitionChange.Join)]
    [InlineData(PartitionChange.Shrink)]
    [InlineData(PartitionChange.PlannedMove)]
    public void Decide_WishForAPartitionBeyondTheTable_IsCounted(PartitionChange change)
    {
        PlanMoves();
        var wish = new Wish(new PartitionId(_table.Partitions.Length), change, Slot(2), 1);
        _core.Asked(Slot(0), new Proposal(_table.Version, [wish]), Ticks(4_100));
        Decide(4_450);
        Assert.Equal(1, _core.RefusedWishes);
    }

    [Fact]
    public void Decide_NodeAsksWhileMovesRun_WaitsForNoMove()
    {
        PlanMoves();
        _core.Asked(new MemberAsk(Member(3)), isUrgent: false, Ticks(4_100));
        Assert.Equal(4, Decide(4_450)!.Members.Length);
    }

    [Fact]
    public void Died_TwiceTold_IsInTheTableOnce()
    {
        Adopt(_table.StartSuccessor(Guid.NewGuid()).WithMember(Member(1)), 10);
        _core.Died(Member(1).Node, "proof", Ticks(20));
        _core.Died(Member(1).Node, "another", Ticks(21));
        var next = Decide(40)!;
        Assert.Equal("proof", Assert.Single(next.Deaths).Proof);
        Adopt(next, 50);
        Adopt(Decide(1_000)!, 1_000);
        Assert.Null(Decide(2_000));
    }

    // A third member has come, and at 4,000 the coordinator plans that copies move there. Returns their partitions.
    private int[] PlanMoves()
    {
        var members = Enumerable.Range(0, 3).Select(slot => Member(slot) with { WantedBackups = new([1]) });
        var table = _table.StartSuccessor(Guid.NewGuid()) with { Members = [.. members], SetBackups = new([1]) };
        var entry = PartitionEntry.Unowned.AssignFirst(Slot(0), Slot(1));
        for (var index = 0; index < table.Partitions.Length; index++)
            table = table.WithPartition(new PartitionId(index), index % 2 == 0 ? entry : entry.Move(Slot(1)));
        Adopt(table, 1_000);
        Adopt(Decide(4_000)!, 4_000);
        int[] all = [.. Enumerable.Range(0, table.Partitions.Length)];
        int[] moves = [.. all.Where(index => _table.Partitions[index].Joining is not null)];
        Assert.All(moves, index => Assert.NotNull(_table.Partitions[index].Leaving));
        Assert.True(moves.Length > 1);
        return moves;
    }

    private void WishJoins(long milliseconds, params int[] partitions)
    {
        var wishes = partitions.Select(index => (Index: index, Entry: _table.Partitions[index]));
        foreach (var sender in wishes.GroupBy(wish => wish.Entry.Primary!.Value))
        {
            var joins = sender.Select(wish => new Wish(
                new PartitionId(wish.Index), PartitionChange.Join, Slot(2), wish.Entry.Epoch.Value));
            _core.Asked(sender.Key, new Proposal(_table.Version, [.. joins]), Ticks(milliseconds));
        }
    }

    private static int CountCopies(ClusterTable table) =>
        table.Partitions.Count(entry => entry.InSync.Items.Contains(Slot(2)));

    private void Adopt(ClusterTable table, long milliseconds)
    {
        _table = table;
        _peers.Update(table, Member(0).Node, Ticks(milliseconds));
        _core.Adopted(table, Ticks(milliseconds));
    }

    private ClusterTable? Decide(long milliseconds)
    {
        foreach (var peer in _peers.Peers)
            peer.HeardAt = Ticks(milliseconds);
        return _core.Decide(_table, Slot(0), _peers, Guid.NewGuid, Ticks(milliseconds));
    }

    private static ClusterMember With(int slot) => Member(slot) with { WantedBackups = new([0]) };

    private static long Ticks(long milliseconds) => milliseconds * TimeSpan.TicksPerMillisecond;

    // A table with one member for each version, which serves and needs nothing.
    private void AdoptSpeaking(params int[] versions)
    {
        var members = versions.Select((version, slot) => With(slot) with { Protocol = version });
        Adopt(_table.StartSuccessor(Guid.NewGuid()) with { Members = [.. members] }, 500);
    }
}
