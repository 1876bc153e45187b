using Cluster.Contracts;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.Testing.Simulation.Invariants;

namespace Cluster.Testing.Simulation.Core;

/// <summary>T1 and I6: a backup wishes to take over only a whole grace after it has learned the epoch, if the primary is
/// not known to have ended, and never while the primary has a lease. The grace is that of the backup's clock, the lease
/// that of the primary's.</summary>
public sealed class GraceInvariant : IInvariant
{
    private static readonly long Grace = new ProtocolTimes().Grace.Ticks;

    private readonly Dictionary<(NodeId Life, PartitionId Partition), (long Epoch, long At)> _learned = [];

    /// <inheritdoc />
    public void Check(SimulatedCluster cluster)
    {
        ArgumentNullException.ThrowIfNull(cluster);
        if (cluster.LastCalled is not { Program: CoreNode program, Node: { } life } node)
            return;
        for (var index = 0; index < cluster.Settings.PartitionCount; index++)
        {
            var replica = program.ReplicaOf(new PartitionId(index));
            if (replica.Phase != Phase.InSync)
                continue;
            if (!_learned.TryGetValue((life, replica.Id), out var learned) || learned.Epoch != replica.Entry.Epoch.Value)
                _learned[(life, replica.Id)] = (replica.Entry.Epoch.Value, program.Clock);
            else if (replica.Awaits(PartitionChange.TakeOver)
                && replica.Entry.Primary is { } primary
                && !program.KnowsEnd(primary)
                && program.Clock - learned.At < Grace)
                cluster.World.Violate("T1", $"{life} wishes to take partition {replica.Id} over before the grace ends");
            if (replica.Awaits(PartitionChange.TakeOver))
                CheckLease(cluster, life, replica);
        }
    }

    /// <inheritdoc />
    public void CheckEnd(SimulatedCluster cluster)
    {
    }

    private static void CheckLease(SimulatedCluster cluster, NodeId life, Replica replica)
    {
        foreach (var node in cluster.Nodes)
        {
            if (node is { IsAlive: true, Program: CoreNode rival }
                && rival.ReplicaOf(replica.Id) is { Phase: Phase.Serving } serving
                && serving.Entry.Epoch == replica.Entry.Epoch
                && rival.IsServing(replica.Id))
            {
                cluster.World.Violate(
                    "I6", $"{life} wishes to take partition {replica.Id} over while {node.Node} has its lease");
            }
        }
    }
}
