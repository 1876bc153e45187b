using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Nodes;
using Cluster.StateStore.Protocol.Peers;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Protocol.Nodes;

/// <summary>What a node believes, and what it refuses and counts. Without shards.</summary>
public sealed class NodeCoreTests
{
    private static readonly Guid Cluster = Guid.NewGuid();
    private readonly NodeCore _node;
    private readonly PeerBook _peers;
    private readonly ProtocolTimes _times;
    private readonly ClusterTable _table = Table(1, Member(0), Member(1)).StartSuccessor(Guid.NewGuid());
    private Moment _now = new(1_000, 1_000);

    public NodeCoreTests()
    {
        var options = new NodeOptions { Member = Member(0), ClusterId = Cluster, NewGuid = Guid.NewGuid };
        _times = options.Times;
        _peers = new PeerBook(_times, Mutant.None);
        _node = new NodeCore(options, _peers, [], _now);
        _node.TableRead(_table, Cluster, _now);
        _node.Effects.Clear();
    }

    [Fact]
    public void TableRead_OfAnotherCluster_IsRefusedAndCounted()
    {
        _node.TableRead(_table.StartSuccessor(Guid.NewGuid()), Guid.NewGuid(), _now);
        Assert.Equal((1, _table), (_node.ForeignTables, _node.Table));
    }

    [Fact]
    public void TableRead_OlderOrSameVersion_ChangesNothing()
    {
        _node.TableRead(_table with { ProposerNonce = Guid.NewGuid() }, Cluster, _now);
        _node.TableRead(_table with { Version = 1 }, Cluster, _now);
        Assert.Same(_table, _node.Table);
    }

    [Fact]
    public void Receive_HintOfANewerTable_ReadsTheStoreAndBelievesNothing()
    {
        _node.Receive(Member(1).Node, new TableHint(_table.Version), _now);
        Assert.Equal((false, 0L), (_node.Effects.ReadsTable, _node.Effects.HeardVersion));
        _node.Receive(Member(1).Node, new TableHint(long.MaxValue), _now);
        Assert.Equal((true, long.MaxValue), (_node.Effects.ReadsTable, _node.Effects.HeardVersion));
        Assert.Same(_table, _node.Table);
    }

    [Fact]
    public void Receive_AcknowledgementOfABeaconThatWasNotSent_IsRefusedAndCounted()
    {
        _node.Receive(Member(1).Node, new BeaconAck(_now.Ticks, 1, []), _now);
        Assert.Equal(0, _node.MalformedFrames);
        _node.Receive(Member(1).Node, new BeaconAck(_now.Ticks + 1, 1, []), _now);
        Assert.Equal(1, _node.MalformedFrames);
    }

    /// <summary>The timer of the node comes 1 s late: the node gives its leases up, and its graces begin
    /// again.</summary>
    [Theory]
    [InlineData(1_499, true)]
    [InlineData(1_500, false)]
    public void Tick_Late_KeepsLeasesOnlyIfLessThanASecondIsMissing(int afterLast, bool isKept) =>
        CheckLease(TimeSpan.FromMilliseconds(afterLast), TimeSpan.FromMilliseconds(afterLast), isKept);

    [Theory]
    [InlineData(999, true)]
    [InlineData(1_000, false)]
    [InlineData(-999, true)]
    [InlineData(-1_000, false)]
    public void Tick_WallClockJumped_KeepsLeasesOnlyIfItIsLessThanASecond(int jump, bool isKept) =>
        CheckLease(_times.Beacon, _times.Beacon + TimeSpan.FromMilliseconds(jump), isKept);

    /// <summary>After a pause, the thread of a connection may come before that of the timer. What it has heard counts from
    /// then on.</summary>
    [Fact]
    public void Receive_FirstAfterAPause_GivesLeasesUpBeforeItCounts()
    {
        Acknowledge();
        _now = new Moment(_now.Ticks + _times.Lease.Ticks, _now.Utc + _times.Lease.Ticks);
        _node.Receive(Member(1).Node, new BeaconAck(_now.Ticks - 1, 1, []), _now);
        Assert.Equal(long.MinValue, _peers.LeaseEnd(Slot(1), default));
        Assert.Equal(_now.Ticks, _peers.HeardAt(Slot(1)));
    }

    [Fact]
    public void Receive_FramesOfAStranger_AreRefusedAndCounted()
    {
        _node.CoordinatorKnown(Member(0).Node, _now);
        _node.Effects.Clear();
        _node.Receive(Member(7).Node, new BeaconAck(_now.Ticks, 1, []), _now);
        _node.Receive(Member(7).Node, new DeathReport(Member(1).Node, "forged"), _now);
        var wish = new Wish(default, PartitionChange.Shrink, Slot(1), 0);
        _node.Receive(Member(7).Node, new Proposal(_table.Version, [wish]), _now);
        _node.Receive(Member(7).Node, new MemberAsk(Member(1, MemberState.Gone)), _now);
        Assert.Equal(4, _node.MalformedFrames);
        _now = new Moment(_now.Ticks + TimeSpan.TicksPerSecond / 2, _now.Utc + TimeSpan.TicksPerSecond / 2);
        _node.Tick(_now);
        var proposed = _node.Effects.Swaps.SelectMany(swap => swap.Successor.Members);
        Assert.DoesNotContain(proposed, member => member.State == MemberState.Gone);
    }

    [Fact]
    public void Receive_ProposalForAnOlderTable_IsToldTheNewerOne()
    {
        _node.CoordinatorKnown(Member(0).Node, _now);
        _node.Effects.Clear();
        _node.Receive(Member(1).Node, new Proposal(1, []), _now);
        Assert.Contains((Member(1).Node, new TableHint(_table.Version)), _node.Effects.Messages);
    }

    [Fact]
    public void TableRead_ShowsThisNodeAsGone_EndsIt()
    {
        _node.TableRead(_table.StartSuccessor(Guid.NewGuid()).WithMember(Member(0, MemberState.Gone)), Cluster, _now);
        Assert.True(_node.Effects.Exits);
    }

    [Fact]
    public void Beacons_OfASilentMember_AskWhetherItLives()
    {
        for (var step = 0; step < 4; step++)
        {
            _now = new Moment(_now.Ticks + TimeSpan.TicksPerSecond / 2, _now.Utc + TimeSpan.TicksPerSecond / 2);
            _node.Tick(_now);
        }

        Assert.Contains(Member(1).Node, _node.Effects.Probes);
    }

    private void Acknowledge() => _node.Receive(Member(1).Node, new BeaconAck(_now.Ticks, 1, []), _now);

    private void CheckLease(TimeSpan monotonic, TimeSpan wall, bool isKept)
    {
        Acknowledge();
        var sentAt = _now.Ticks;
        Assert.Equal(sentAt + _times.Lease.Ticks, _peers.LeaseEnd(Slot(1), default));
        _now = new Moment(_now.Ticks + monotonic.Ticks, _now.Utc + wall.Ticks);
        _node.Tick(_now);
        Assert.Equal(
            isKept ? sentAt + _times.Lease.Ticks : long.MinValue, _peers.LeaseEnd(Slot(1), default));
    }
}
