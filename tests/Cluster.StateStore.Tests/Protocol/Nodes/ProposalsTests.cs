using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Nodes;
using Cluster.StateStore.Tests.Protocol.Shards;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Protocol.Nodes;

/// <summary>When a node proposes a takeover to the store itself. The node is the backup of a primary that is proven
/// dead.</summary>
public sealed class ProposalsTests : IDisposable
{
    private static readonly ProtocolTimes Times = ShardFixture.Times;

    private readonly ShardFixture _shard = new();
    private readonly Proposals _proposals;

    public ProposalsTests()
    {
        var options = new NodeOptions { Member = Member(1), ClusterId = Guid.NewGuid(), NewGuid = Guid.NewGuid };
        _proposals = new Proposals([_shard.Shard], options);
        _shard.Learn(PartitionEntry.Unowned.AssignFirst(Slot(0), Slot(1)));
        _shard.Peers.Died(Member(0).Node, "test");
        Assert.NotNull(_proposals.Collect(_shard.KnownTable, MovePermit.Begin, _shard.Now));
    }

    public void Dispose() => _shard.Dispose();

    [Fact]
    public void FindDirect_TheCoordinatorMayAnswer_IsTooEarlyForHalfASecond()
    {
        Assert.Null(FindDirect(coordinator: 2, Times.Direct - TimeSpan.FromMilliseconds(1)));
        Assert.NotNull(FindDirect(coordinator: 2, 2 * Times.Direct));
    }

    /// <summary>A coordinator that dies with its partitions must not cost their clients another wait.</summary>
    [Fact]
    public void FindDirect_TheCoordinatorIsProvenDead_DoesNotWaitForItsAnswer() =>
        Assert.NotNull(FindDirect(coordinator: 0, Times.Direct / 4));

    /// <summary>Nothing proves that the coordinator is dead, but it is as silent as the primary was.</summary>
    [Fact]
    public void FindDirect_TheCoordinatorIsSilent_DoesNotWaitForItsAnswer()
    {
        _shard.Tick(Times.Lease);
        Assert.NotNull(FindDirect(coordinator: 2, Times.Direct / 4));
    }

    /// <summary>A primary that is cut off must not drop the backups that are to take over from it.</summary>
    [Fact]
    public void FindDirect_BackupThatDoesNotAnswer_IsDroppedOnlyByANodeThatHearsOthers()
    {
        _shard.Learn(PartitionEntry.Unowned.AssignFirst(Slot(1), Slot(0)));
        _shard.Put("key");
        _shard.Tick(Times.Append);
        _proposals.Adopted(_shard.KnownTable.Version);
        var wishes = _proposals.Collect(_shard.KnownTable, MovePermit.Begin, _shard.Now)!.Wishes;
        Assert.Equal(PartitionChange.Shrink, Assert.Single(wishes).Change);
        Assert.Null(FindDirect(coordinator: 2, 2 * Times.Direct));
        foreach (var peer in _shard.Peers.Peers)
            peer.HeardAt = _shard.Now.Ticks + Times.Direct.Ticks;
        Assert.NotNull(FindDirect(coordinator: 2, 2 * Times.Direct));
    }

    private ClusterTable? FindDirect(int coordinator, TimeSpan after) => _proposals.FindDirect(
        _shard.KnownTable,
        _shard.Peers,
        Slot(1),
        Member(coordinator).Node,
        new Moment(_shard.Now.Ticks + after.Ticks, _shard.Now.Utc + after.Ticks));
}
