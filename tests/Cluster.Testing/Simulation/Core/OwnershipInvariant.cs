using Cluster.Contracts;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.Testing.Simulation.Invariants;
using Cluster.Testing.Simulation.Nodes;

namespace Cluster.Testing.Simulation.Core;

/// <summary>I1, I7 and I9: one node serves a partition in an epoch, no two nodes serve a partition at the same moment,
/// and a node keeps nothing of a partition that is absent there.</summary>
public sealed class OwnershipInvariant : IInvariant
{
    private readonly Dictionary<(PartitionId Partition, long Epoch), NodeId> _served = [];

    /// <inheritdoc />
    public void Check(SimulatedCluster cluster)
    {
        ArgumentNullException.ThrowIfNull(cluster);
        if (cluster.LastCalled is not { Program: CoreNode program, Node: { } life } node)
            return;
        for (var index = 0; index < cluster.Settings.PartitionCount; index++)
        {
            var partition = new PartitionId(index);
            var replica = program.ReplicaOf(partition);
            if (replica.Phase == Phase.Serving)
                CheckServing(cluster, node, program, replica);
            else if (replica.Phase == Phase.Absent && program.Records.SumsOf(partition).Count > 0)
                cluster.World.Violate("I9", $"{life} keeps records of partition {partition}, which is absent there");
        }
    }

    /// <inheritdoc />
    public void CheckEnd(SimulatedCluster cluster)
    {
    }

    private void CheckServing(SimulatedCluster cluster, SimulatedNode node, CoreNode program, Replica replica)
    {
        var life = node.Node!.Value;
        var epoch = replica.Entry.Epoch.Value;
        if (!_served.TryGetValue((replica.Id, epoch), out var first))
            _served[(replica.Id, epoch)] = life;
        else if (first != life)
            cluster.World.Violate("I1", $"{first} and {life} serve partition {replica.Id} in epoch {epoch}");
        foreach (var other in cluster.Nodes)
        {
            if (other != node
                && other.Program is CoreNode rival
                && rival.ReplicaOf(replica.Id).Phase == Phase.Serving
                && rival.IsServing(replica.Id)
                && program.IsServing(replica.Id))
                cluster.World.Violate("I7", $"{life} and {other.Node} serve partition {replica.Id} at the same moment");
        }
    }
}
