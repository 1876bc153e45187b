using Cluster.Contracts;
using Cluster.Nodes;
using Shop.Drive.Front;

namespace Shop.Drive.Tests.Front;

public sealed class ReadinessGateTests
{
    [Fact]
    public void IsReady_AllActiveAndAllOwned_IsTrue() =>
        Assert.True(ReadinessGate.IsReady(Cluster([NodeState.Active, NodeState.Active], [0, 1, 0, 1]), 2));

    [Fact]
    public void IsReady_BeforeTheFirstTable_IsFalse() =>
        Assert.False(ReadinessGate.IsReady(Cluster([], [null]) with { Version = 0 }, 0));

    [Fact]
    public void IsReady_NodeMissing_IsFalse() =>
        Assert.False(ReadinessGate.IsReady(Cluster([NodeState.Active, NodeState.Joining], [0, 0]), 2));

    [Fact]
    public void IsReady_PartitionWithoutOwner_IsFalse() =>
        Assert.False(ReadinessGate.IsReady(Cluster([NodeState.Active, NodeState.Active], [0, null]), 2));

    [Fact]
    public void IsReady_PartitionOfANodeThatLeaves_IsFalse() =>
        Assert.False(ReadinessGate.IsReady(
            Cluster([NodeState.Active, NodeState.Active, NodeState.Draining], [0, 2]), 2));

    private static ClusterSnapshot Cluster(NodeState[] states, int?[] owners)
    {
        NodeDescription[] nodes = [.. states.Select((state, index) =>
            new NodeDescription(NodeId.NewIncarnation($"n{index}"), "http://127.0.0.1:1", state, []))];
        return new ClusterSnapshot(2, nodes, [.. owners.Select((owner, index) =>
            new PartitionDescription(new PartitionId(index), owner is { } known ? nodes[known] : null, 0))]);
    }
}
