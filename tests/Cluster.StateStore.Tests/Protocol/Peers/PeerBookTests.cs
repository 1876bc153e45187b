using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Peers;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Protocol.Peers;

/// <summary>Leases, as far as acknowledged beacons give them.</summary>
public sealed class PeerBookTests
{
    private static readonly ProtocolTimes Times = new();
    private readonly PeerBook _book = new(Times, Mutant.None);
    private readonly Peer _peer;

    public PeerBookTests()
    {
        _book.Update(Table(2, Member(0), Member(1)), Member(0).Node, now: 0);
        _peer = Assert.Single(_book.Peers);
    }

    [Fact]
    public void Acked_Beacon_LastsFromItsSendingTime()
    {
        Assert.True(Ack(sentAt: 100, now: 900));
        Assert.Equal(100 + Times.Lease.Ticks, LeaseEnd());
        Assert.True(Ack(sentAt: 50, now: 950));
        Assert.Equal(100 + Times.Lease.Ticks, LeaseEnd());
    }

    [Fact]
    public void Acked_BeaconThatWasNotSentYet_IsRefused()
    {
        Assert.False(Ack(sentAt: 101, now: 100));
        Assert.False(Ack(sentAt: long.MaxValue, now: 100));
        Assert.Equal(long.MinValue, LeaseEnd());
    }

    [Fact]
    public void Acked_BeaconFromBeforeTheNodeMissedTime_GivesNoLease()
    {
        _book.StartAgain(now: 1_000);
        Assert.True(Ack(sentAt: 999, now: 1_001));
        Assert.Equal(long.MinValue, LeaseEnd());
        Assert.True(Ack(sentAt: 1_000, now: 1_002));
        Assert.Equal(1_000 + Times.Lease.Ticks, LeaseEnd());
    }

    [Fact]
    public void Acked_PartitionExcluded_ItsLeaseIsNotProlonged()
    {
        Ack(sentAt: 100, now: 200);
        Ack(sentAt: 300, now: 400, new PartitionId(1));
        Assert.Equal(300 + Times.Lease.Ticks, LeaseEnd());
        Assert.Equal(100 + Times.Lease.Ticks, _book.LeaseEnd(Slot(1), new PartitionId(1)));
        Ack(sentAt: 500, now: 600);
        Assert.Equal(500 + Times.Lease.Ticks, _book.LeaseEnd(Slot(1), new PartitionId(1)));
    }

    /// <summary>The member may take the partition over since the newer acknowledgement.</summary>
    [Fact]
    public void Acked_OlderBeaconAfterANewerOne_DoesNotBringAnExcludedPartitionBack()
    {
        Ack(sentAt: 100, now: 200);
        Ack(sentAt: 300, now: 400, new PartitionId(1));
        Assert.True(Ack(sentAt: 200, now: 500));
        Assert.Equal(100 + Times.Lease.Ticks, _book.LeaseEnd(Slot(1), new PartitionId(1)));
        Assert.Equal(300 + Times.Lease.Ticks, LeaseEnd());
    }

    [Fact]
    public void LeaseEnd_Stranger_GivesNone()
    {
        Assert.Equal(long.MinValue, _book.LeaseEnd(Slot(7), default));
        Assert.True(_book.IsDead(Slot(7)));
    }

    [Fact]
    public void Update_OtherLifeInTheSlot_KnowsNothingOfTheFormerOne()
    {
        Ack(sentAt: 100, now: 200);
        _book.Died(_peer.Member.Node, "proof");
        var other = Member(1) with { Node = NodeId.NewIncarnation("n1") };
        _book.Update(Table(2, Member(0), other), Member(0).Node, now: 300);
        Assert.Equal((long.MinValue, false), (LeaseEnd(), _book.IsDead(Slot(1))));
    }

    [Fact]
    public void HearsHalf_OneOfTwoOthersSilent_CountsItself()
    {
        _book.Update(Table(2, Member(0), Member(1), Member(2)), Member(0).Node, now: 0);
        var late = Times.Lease.Ticks;
        Assert.False(_book.HearsHalf(late));
        _book.Find(Member(2).Node)!.HeardAt = late;
        Assert.True(_book.HearsHalf(late));
    }

    /// <summary>A node that is cut off finds its backups slow after a second, when their silence is not sure
    /// yet.</summary>
    [Fact]
    public void MayShrink_NobodyHeardForASecond_DoesNot()
    {
        _book.Update(Table(2, Member(0), Member(1), Member(2)), Member(0).Node, now: 0);
        var late = Times.Append.Ticks;
        Assert.Equal((true, false), (_book.HearsHalf(late), _book.MayShrink(late)));
        _book.Find(Member(2).Node)!.HeardAt = late - Times.Beacon.Ticks;
        Assert.True(_book.MayShrink(late));
    }

    private bool Ack(long sentAt, long now, params PartitionId[] excluded) =>
        _book.Acked(_peer, new BeaconAck(sentAt, 1, [.. excluded]), now);

    private long LeaseEnd() => _book.LeaseEnd(Slot(1), default);
}
