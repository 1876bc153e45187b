using Cluster.Contracts;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing.Simulation.Invariants;
using Cluster.Testing.Simulation.Nodes;

namespace Cluster.Testing.Simulation.Core;

/// <summary>I19: a partition that is declared lost goes to the active node with the newest snapshot of it, as long as
/// nobody has waited too long, and it is not served before the snapshot is loaded.</summary>
internal sealed class RestorationInvariant : IInvariant
{
    private int _judged = 1;
    private SimulatedDisks? _disks;

    /// <inheritdoc />
    public void Check(SimulatedCluster cluster)
    {
        // All nodes of a run have the same disks, and none may live when a table is judged.
        _disks ??= (cluster.LastCalled?.Program as CoreNode)?.Disks;
        for (var versions = cluster.Store.Versions; _judged < versions.Count; _judged++)
            Judge(cluster, versions[_judged - 1].Table, versions[_judged].Table);
        if (cluster.LastCalled is not { Program: CoreNode program })
            return;
        for (var index = 0; index < cluster.Settings.PartitionCount; index++)
        {
            var partition = new PartitionId(index);
            if (program.IsServing(partition) && program.ReplicaOf(partition).Restoration is { IsLoading: true })
                cluster.World.Violate("I19", $"partition {partition} is served while its snapshot is being loaded");
        }
    }

    /// <inheritdoc />
    public void CheckEnd(SimulatedCluster cluster)
    {
    }

    private void Judge(SimulatedCluster cluster, ClusterTable before, ClusterTable after)
    {
        for (var index = 0; index < before.Partitions.Length; index++)
        {
            var (from, to) = (before.Partitions[index], after.Partitions[index]);
            if (to.LossCount == from.LossCount)
                continue;
            var partition = new PartitionId(index);
            var chosen = MarkOf(NodeOf(cluster, after, to.Primary!.Value), partition);
            foreach (var machine in cluster.Nodes.Where(machine => IsBack(machine, from, before, after)))
            {
                var mark = MarkOf(machine, partition);
                if (mark > chosen)
                {
                    cluster.World.Violate(
                        "I19", $"partition {partition} is restored up to {chosen}, {machine.Name} has {mark}");
                }
            }
        }
    }

    // The members that held the partition last have come back, or live and have it from earlier.
    private static bool IsBack(SimulatedNode machine, PartitionEntry from, ClusterTable before, ClusterTable after) =>
        machine.IsAlive
        && (after.FindMember(machine.Node!.Value) is { State: MemberState.Active }
            || from.InSync.Items.Any(slot => before.FindMember(slot)?.Node.Name == machine.Name));

    private StateStore.Protocol.Basics.EntryId MarkOf(SimulatedNode? machine, PartitionId partition) =>
        machine is null ? default : _disks?[machine.Name, partition]?.Mark.First ?? default;

    private static SimulatedNode? NodeOf(SimulatedCluster cluster, ClusterTable table, NodeSlot slot) =>
        table.FindMember(slot) is { } member
            ? cluster.Nodes.FirstOrDefault(machine => machine.Name == member.Node.Name)
            : null;
}
