using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Peers;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Protocol.Peers;

/// <summary>What a node knows about members that it does not exchange beacons with, as in a large cluster.</summary>
public sealed class SparsePeerBookTests
{
    private static readonly ProtocolTimes Times = new() { AllPairsMax = 0 };
    private static readonly ClusterTable Members = Table(4, [.. Enumerable.Range(0, 20).Select(slot => Member(slot))]);
    private readonly PeerBook _book = new(Times, Mutant.None);

    public SparsePeerBookTests() => _book.Update(Members, Member(0).Node, now: 0);

    private static long Later => 2 * Times.Lease.Ticks;

    [Fact]
    public void IsHeard_MemberThatIsNotWatched_CountsAsHeard()
    {
        Assert.True(_book.IsHeard(Slot(10), Later));
        Assert.False(_book.IsHeard(Slot(1), Later));
    }

    [Fact]
    public void IsHeard_MostWatchersReportSilence_IsNotHeard()
    {
        Report(silent: 10, 8, 9, 11, 12);
        Assert.True(_book.IsHeard(Slot(10), Later));
        Assert.False(_book.IsMostlySilent(Slot(10), Later));
        Report(silent: 10, 13);
        Assert.False(_book.IsHeard(Slot(10), Later + 1));
        Assert.True(_book.IsMostlySilent(Slot(10), Later + 1));
    }

    [Fact]
    public void IsHeard_ReportIsOld_DoesNotCount()
    {
        Report(silent: 10, 8, 9, 11, 12, 13);
        Assert.True(_book.IsHeard(Slot(10), Later + (3 * Times.Report.Ticks)));
    }

    /// <summary>Half of the watchers have failed with the member, so they cannot report it.</summary>
    [Fact]
    public void IsHeard_WatchersThatAreReportedThemselves_DoNotCount()
    {
        foreach (var failed in new[] { 6, 7, 8, 9 })
            Report(failed, failed == 9 ? 13 : 5);
        Report(silent: 10, 11, 12, 13);
        Assert.False(_book.IsHeard(Slot(10), Later + 1));
    }

    /// <summary>A node that is cut off hears nobody. Its own silence is reported by many.</summary>
    [Fact]
    public void IsHeard_ReportedByACutOffWatcherAlone_CountsAsHeard()
    {
        Report(silent: 10, 11);
        Report(silent: 11, 9, 12, 13, 14);
        Assert.True(_book.IsHeard(Slot(10), Later + 1));
    }

    [Fact]
    public void FindSilent_NamesWatchedMembersAlone() =>
        Assert.Equal(
        [Slot(1), Slot(2), Slot(3), Slot(4), Slot(16), Slot(17), Slot(18), Slot(19)],
        _book.FindSilent(Later).OrderBy(slot => slot.Value));

    [Fact]
    public void HearsHalf_OfThoseThatAreWatched()
    {
        Assert.False(_book.HearsHalf(Later));
        Hear(1, Later);
        Hear(2, Later);
        Hear(3, Later);
        Assert.False(_book.HearsHalf(Later));
        Hear(19, Later);
        Assert.True(_book.HearsHalf(Later));
    }

    [Fact]
    public void HearsHalf_NodeThatIsNoMemberYet_DoesNot()
    {
        var book = new PeerBook(Times, Mutant.None);
        book.Update(Members, Member(30).Node, now: 0);
        Assert.False(book.HearsHalf(Later));
    }

    /// <summary>Otherwise a primary would drop a new backup before that one had a chance to send a beacon.</summary>
    [Fact]
    public void Update_MemberBecomesWatched_IsSilentOnlyFromThenOn()
    {
        var entry = PartitionEntry.Unowned.AssignFirst(Slot(0), Slot(10));
        _book.Update(Members.WithPartition(default, entry).StartSuccessor(Guid.NewGuid()), Member(0).Node, Later);
        Assert.Equal(Later, _book.HeardAt(Slot(10)));
        Assert.True(_book.IsHeard(Slot(10), Later + Times.Lease.Ticks - 1));
        Assert.False(_book.IsHeard(Slot(10), Later + Times.Lease.Ticks));
    }

    /// <summary>The coordinator gives a partition to a dead member, and begins to watch it itself.</summary>
    [Fact]
    public void IsHeard_MemberThatIsReportedBecomesWatched_IsNotHeardBeforeItsFirstBeacon()
    {
        Report(silent: 10, 8, 9, 11, 12, 13);
        var entry = PartitionEntry.Unowned.AssignFirst(Slot(0), Slot(10));
        _book.Update(Members.WithPartition(default, entry).StartSuccessor(Guid.NewGuid()), Member(0).Node, Later);
        Assert.False(_book.IsHeard(Slot(10), Later + 1));
        Hear(10, Later + 1);
        Assert.True(_book.IsHeard(Slot(10), Later + 1));
    }

    /// <summary>Members that copy to a dead one watch it only since then, and do not miss it for a while.</summary>
    [Fact]
    public void IsHeard_ManyMembersBeginToCopyToAReportedOne_IsNotHeard()
    {
        var table = Members.StartSuccessor(Guid.NewGuid());
        for (var index = 0; index < 3; index++)
        {
            var entry = PartitionEntry.Unowned.AssignFirst(Slot(15 + index)).Target(Slot(10));
            table = table.WithPartition(new PartitionId(index), entry);
        }

        _book.Update(table, Member(0).Node, Later);
        foreach (var copying in new[] { 15, 16, 17 })
            Hear(copying, Later);
        Report(silent: 10, 8, 9, 11, 12, 13);
        Assert.False(_book.IsHeard(Slot(10), Later + 1));
    }

    /// <summary>A member without partitions is reported by its neighbours alone.</summary>
    [Fact]
    public void IsHeard_ReportedMemberWhoseJudgesAllFail_IsNotHeard()
    {
        Report(silent: 10, 6, 7, 8, 9, 11, 12, 13, 14);
        foreach (var failed in new[] { 6, 7, 8, 9, 11, 12, 13, 14 })
            Report(failed, 4);
        Assert.False(_book.IsHeard(Slot(10), Later + 1));
    }

    [Fact]
    public void NoteSilent_MemberThatNobodyReportsAnyMore_StaysSilentUntilItIsHeard()
    {
        _book.Coordinate(isActive: true, 0);
        Report(silent: 10, 8, 9, 11, 12, 13);
        _book.NoteSilent(Later + 1);
        foreach (var judge in new[] { 8, 9, 11, 12, 13 })
            _book.Find(Member(judge).Node)!.Silent = [];
        Assert.False(_book.IsHeard(Slot(10), Later + 2));

        // It becomes a partner, and is no partner again.
        var entry = PartitionEntry.Unowned.AssignFirst(Slot(0), Slot(10));
        var table = Members.WithPartition(default, entry).StartSuccessor(Guid.NewGuid());
        _book.Update(table, Member(0).Node, Later + 3);
        Assert.False(_book.IsHeard(Slot(10), Later + 4));
        _book.Update(Members.StartSuccessor(Guid.NewGuid()), Member(0).Node, Later + 5);
        Assert.False(_book.IsHeard(Slot(10), Later + 6));
        Hear(10, Later + 7);
        Assert.True(_book.IsHeard(Slot(10), Later + 8));
    }

    /// <summary>A coordinator that was paused gives all members time, but a dead one gets no copies.</summary>
    [Fact]
    public void StartAgain_SilentMember_StaysSilentUntilItIsHeard()
    {
        _book.Coordinate(isActive: true, 0);
        Report(silent: 10, 8, 9, 11, 12, 13);
        _book.NoteSilent(Later + 1);
        foreach (var judge in new[] { 8, 9, 11, 12, 13 })
            _book.Find(Member(judge).Node)!.Silent = [];
        _book.StartAgain(2 * Later);
        Assert.Equal(2 * Later, _book.HeardAt(Slot(10)));
        Assert.False(_book.IsHeard(Slot(10), (2 * Later) + 1));
        Assert.True(_book.IsHeard(Slot(11), (2 * Later) + 1));
        Hear(10, (2 * Later) + 1);
        Assert.True(_book.IsHeard(Slot(10), (2 * Later) + 1));
    }

    /// <summary>Each member sends a new coordinator a beacon.</summary>
    [Fact]
    public void IsHeard_NewCoordinator_MissesAMemberAfterTwoLeases()
    {
        var began = Later;
        _book.Coordinate(isActive: true, began);
        Hear(11, began + 1);
        var late = began + (2 * Times.Lease.Ticks);
        Assert.True(_book.IsHeard(Slot(10), late - 1));
        Assert.False(_book.IsHeard(Slot(10), late));
        Assert.True(_book.IsHeard(Slot(11), late));
        Assert.False(_book.IsHeard(Slot(11), began + 2 + (2 * Times.Report.Ticks)));
        _book.Coordinate(isActive: false, late);
        Assert.True(_book.IsHeard(Slot(10), late));
    }

    private void Report(int silent, params int[] watchers)
    {
        foreach (var watcher in watchers)
        {
            Hear(watcher, Later);
            _book.Find(Member(watcher).Node)!.Silent = [.. _book.Find(Member(watcher).Node)!.Silent, Slot(silent)];
        }
    }

    private void Hear(int slot, long now) => _book.Find(Member(slot).Node)!.HeardAt = now;
}
