using Cluster.Contracts;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing.Simulation.Nodes;

namespace Cluster.Testing.Simulation.Invariants;

/// <summary>I8: after the quiet time, each partition has as many in-sync replicas as its backups and the living nodes
/// allow, all of them alive, and their digests are equal. Needs programs that implement <see cref="INodeReport"/>.
/// A partition whose in-sync members have all crashed is left out where nobody can prove a death.</summary>
public sealed class ReplicationInvariant : IInvariant
{
    /// <inheritdoc />
    public void Check(SimulatedCluster cluster)
    {
    }

    /// <inheritdoc />
    public void CheckEnd(SimulatedCluster cluster)
    {
        ArgumentNullException.ThrowIfNull(cluster);
        var living = cluster.Nodes.Count(node => node is { IsAlive: true, IsDraining: false });
        var expected = Math.Min(cluster.Settings.Backups + 1, living);
        var table = cluster.Store.Current;
        for (var index = 0; index < table.Partitions.Length; index++)
            Judge(cluster, table, new PartitionId(index), expected);
    }

    private static void Judge(SimulatedCluster cluster, ClusterTable table, PartitionId partition, int expected)
    {
        var entry = table[partition];
        var holders = entry.InSync.Select(slot => HolderOf(cluster, table, slot)).ToArray();
        if (cluster.IsStranded(partition))
            return;
        if (holders.Length != expected || Array.Exists(holders, holder => holder is null))
        {
            cluster.World.Violate("I8", $"partition {partition} needs {expected} living replicas, has {entry}");
            return;
        }

        var digests = holders.Select(holder => (holder!.Program as INodeReport)?.DigestOf(partition)).ToArray();
        if (Array.Exists(digests, digest => digest is null))
            cluster.World.Violate("I8", $"a member of {entry} does not hold partition {partition}");
        else if (digests.Distinct().Count() > 1)
            cluster.World.Violate("I8", $"partition {partition} differs: {string.Join(", ", digests)} in {entry}");
    }

    private static SimulatedNode? HolderOf(SimulatedCluster cluster, ClusterTable table, NodeSlot slot)
    {
        var life = table.FindMember(slot)?.Node;
        return life is null ? null : cluster.Nodes.FirstOrDefault(node => node.IsAlive && node.Node == life);
    }
}
