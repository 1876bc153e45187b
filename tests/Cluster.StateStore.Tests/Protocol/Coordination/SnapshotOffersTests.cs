using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Coordination;
using Cluster.StateStore.Protocol.Frames;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Protocol.Coordination;

/// <summary>What the coordinator remembers of the snapshots of lost partitions.</summary>
[Trait("Case", "cluster-snapshots")]
public sealed class SnapshotOffersTests
{
    private static readonly EntryId Old = EntryId.Of(1, 5);
    private static readonly EntryId New = EntryId.Of(1, 9);

    private readonly SnapshotOffers _offers = new();

    /// <summary>Partition 0 was on member 0 alone, at epoch 1.</summary>
    private static ClusterTable Standing { get; } = Table(1, Member(0), Member(1), Member(2)) with
    {
        Partitions = [PartitionEntry.Unowned.AssignFirst(Slot(0))],
    };

    [Fact]
    public void FindBest_SeveralSnapshots_GivesTheNewestOnes()
    {
        Offer(0, Old);
        Offer(1, New);
        Offer(2, default);
        Assert.Equal([Slot(1)], Best(Standing.Members));
        Offer(2, New);
        Assert.Equal([Slot(1), Slot(2)], Best(Standing.Members));
        Assert.Equal([Slot(0)], Best([Standing.Members[0]]));
    }

    [Fact]
    public void FindBest_NoSnapshotAtAll_GivesNobody()
    {
        Offer(0, default);
        Assert.Empty(Best(Standing.Members));
    }

    [Fact]
    public void Offered_AnotherNodeHasTheSlotNow_DoesNotCountForIt()
    {
        Offer(1, New);
        var successor = Member(1) with { Node = new NodeId("another", Guid.NewGuid()) };
        Assert.Empty(Best([successor]));
    }

    [Theory]
    [InlineData(0, 1, 2)]
    [InlineData(0, 0, 1)]
    [InlineData(7, 1, 1)]
    [InlineData(-1, 1, 1)]
    public void Offered_WhatCannotBe_IsNotTaken(int partition, int member, long epoch)
    {
        var wish = new Wish(new PartitionId(partition), PartitionChange.DeclareLost, Slot(member), epoch) { Mark = New };
        _offers.Offered(Standing, Slot(1), new Proposal(1, [wish]), now: 10);
        Assert.Empty(_offers.Find(default, epoch: 1, now: 20).Marks);
        Assert.Equal(20, _offers.Find(default, epoch: 1, now: 30).Since);
    }

    [Fact]
    public void Adopted_PartitionHasAnotherEpoch_IsForgotten()
    {
        Offer(1, New);
        _offers.Adopted(Standing);
        Assert.Single(_offers.Find(default, epoch: 1, now: 20).Marks);
        _offers.Adopted(Standing with { Partitions = [Standing.Partitions[0].DeclareLost(Slot(1))] });
        Assert.Empty(_offers.Find(default, epoch: 1, now: 30).Marks);
    }

    private NodeSlot[] Best(IEnumerable<ClusterMember> members) =>
        _offers.Find(default, epoch: 1, now: 20).FindBest(members, takesAny: false);

    private void Offer(int member, EntryId mark)
    {
        var wish = new Wish(default, PartitionChange.DeclareLost, Slot(member), Epoch: 1) { Mark = mark };
        _offers.Offered(Standing, Slot(member), new Proposal(1, [wish]), now: 10);
    }
}
