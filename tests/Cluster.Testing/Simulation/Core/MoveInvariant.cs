using Cluster.Contracts;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.Testing.Simulation.Invariants;

namespace Cluster.Testing.Simulation.Core;

/// <summary>I13: a planned move keeps writes out only for a moment before it is proposed, whatever other moves and
/// targets do. A node that was paused is not judged for that time.</summary>
public sealed class MoveInvariant : IInvariant
{
    private static readonly TimeSpan ClosedMax = TimeSpan.FromMilliseconds(350);

    private readonly Dictionary<(NodeId Life, PartitionId Partition), (TimeSpan Since, long Deferred)> _closed = [];

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
            if (replica is not { Phase: Phase.Serving, ClosedSince: not null })
            {
                if (_closed.Count > 0)
                    _closed.Remove((life, partition));
                continue;
            }

            if (!_closed.TryGetValue((life, partition), out var closed) || closed.Deferred != node.DeferredCount)
                _closed[(life, partition)] = (cluster.World.Now, node.DeferredCount);
            else if (cluster.World.Now - closed.Since > ClosedMax)
                cluster.World.Violate("I13", $"partition {partition} is closed on {life} since {closed.Since}");
        }
    }

    /// <inheritdoc />
    public void CheckEnd(SimulatedCluster cluster)
    {
    }
}
