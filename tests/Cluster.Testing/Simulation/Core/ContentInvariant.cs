using Cluster.Contracts;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.Testing.Simulation.Invariants;
using Cluster.Testing.Simulation.Nodes;

namespace Cluster.Testing.Simulation.Core;

/// <summary>I3 and the part of I8 that holds at every moment: what a primary commits is in the logs of all in-sync
/// members and of every later primary, and in-sync members that have committed the same have the same
/// content.</summary>
public sealed class ContentInvariant : IInvariant
{
    private readonly Dictionary<(NodeId Life, PartitionId Partition), (long Version, EntryId Committed, ulong Digest)> _seen = [];

    // The last entry of earlier epochs that the newest primary took over.
    private readonly Dictionary<(PartitionId Partition, int LossCount), (long Epoch, EntryId Until)> _taken = [];

    /// <inheritdoc />
    public void Check(SimulatedCluster cluster)
    {
        ArgumentNullException.ThrowIfNull(cluster);
        if (cluster.LastCalled is not { Program: CoreNode program, Node: { } life })
            return;
        for (var index = 0; index < cluster.Settings.PartitionCount; index++)
        {
            var partition = new PartitionId(index);
            var replica = program.ReplicaOf(partition);
            if (!program.IsInSync(partition))
                continue;
            var state = (replica.TableVersion, replica.Committed, program.Records.SumsOf(partition).Digest);
            if (_seen.GetValueOrDefault((life, partition)) == state)
                continue;
            _seen[(life, partition)] = state;
            JudgeChain(cluster, replica);
            Judge(cluster, program, replica);
        }
    }

    /// <inheritdoc />
    public void CheckEnd(SimulatedCluster cluster)
    {
    }

    // A primary of an earlier epoch may not know the later one yet.
    private void JudgeChain(SimulatedCluster cluster, Replica replica)
    {
        var chain = (replica.Id, replica.Entry.LossCount);
        var (epoch, until) = _taken.GetValueOrDefault(chain);
        if (!replica.IsPrimary)
            return;
        if (replica.Phase == Phase.Serving && replica.PrimarySince > epoch)
            _taken[chain] = (replica.PrimarySince, replica.PromotedUntil);
        else if (replica.Entry.Epoch.Value < epoch && replica.Committed > until)
        {
            cluster.World.Violate(
                "I3", $"{replica.Committed} of partition {replica.Id} is committed, but epoch {epoch} began after {until}");
        }
    }

    private static void Judge(SimulatedCluster cluster, CoreNode program, Replica replica)
    {
        foreach (var node in cluster.Nodes)
        {
            if (node.Program is not CoreNode other || other == program || !other.IsInSync(replica.Id))
                continue;
            var rival = other.ReplicaOf(replica.Id);
            if (rival.Committed == replica.Committed
                && rival.Entry.LossCount == replica.Entry.LossCount
                && other.Records.SumsOf(replica.Id) != program.Records.SumsOf(replica.Id))
            {
                cluster.World.Violate(
                    "I8", $"{node.Node} and {cluster.LastCalled!.Node} differ in partition {replica.Id} at {rival.Committed}");
            }

            if (replica.IsPrimary
                && IsInSync(program, node, replica)
                && rival.Committed < replica.Committed
                && !rival.Log.Contains(replica.Committed))
            {
                cluster.World.Violate(
                    "I3", $"{replica.Committed} of partition {replica.Id} is committed, but {node.Node} lacks it");
            }
        }
    }

    private static bool IsInSync(CoreNode primary, SimulatedNode node, Replica replica) =>
        primary.Node.Table!.FindMember(node.Node!.Value) is { } member
        && replica.Entry.InSync.Items.Contains(member.Slot);
}
