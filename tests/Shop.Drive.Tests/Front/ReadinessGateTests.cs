using Cluster.Contracts;
using Cluster.StateStore.Hosting.Tables;
using Shop.Drive.Front;

namespace Shop.Drive.Tests.Front;

public sealed class ReadinessGateTests
{
    [Fact]
    public void IsReady_AllActiveAndAllOwned_IsTrue() =>
        Assert.True(ReadinessGate.IsReady(Table([MemberState.Active, MemberState.Active], [0, 1, 0, 1]), 2));

    [Fact]
    public void IsReady_BeforeTheFirstTable_IsFalse() =>
        Assert.False(ReadinessGate.IsReady(Table([], [null]) with { Version = 0 }, 0));

    [Fact]
    public void IsReady_NodeMissing_IsFalse() =>
        Assert.False(ReadinessGate.IsReady(Table([MemberState.Active, MemberState.Joining], [0, 0]), 2));

    [Fact]
    public void IsReady_PartitionWithoutOwner_IsFalse() =>
        Assert.False(ReadinessGate.IsReady(Table([MemberState.Active, MemberState.Active], [0, null]), 2));

    [Fact]
    public void IsReady_PartitionOfADeadNode_IsFalse() =>
        Assert.False(ReadinessGate.IsReady(
            Table([MemberState.Active, MemberState.Active, MemberState.Gone], [0, 2]), 2));

    private static ClusterTable Table(MemberState[] members, int?[] owners)
    {
        var empty = ClusterTable.CreateEmpty(owners.Length);
        return empty with
        {
            Version = 2,
            Members = [.. members.Select(Member)],
            Partitions = [.. owners.Select(Entry)],
        };
    }

    private static ClusterMember Member(MemberState state, int index) => new(
        new NodeSlot((ushort)index),
        NodeId.NewIncarnation($"n{index}"),
        "http://127.0.0.1:1",
        "127.0.0.1:2",
        default,
        state);

    private static PartitionEntry Entry(int? owner) => PartitionEntry.Unowned with
    {
        Primary = owner is { } slot ? new NodeSlot((ushort)slot) : null,
    };
}
