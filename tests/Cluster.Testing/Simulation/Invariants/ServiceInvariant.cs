using Cluster.Contracts;

namespace Cluster.Testing.Simulation.Invariants;

/// <summary>After the quiet time, the cluster answers a read of every key. A partition that waits for an operator is
/// left out.</summary>
public sealed class ServiceInvariant : IInvariant
{
    /// <inheritdoc />
    public void Check(SimulatedCluster cluster)
    {
    }

    /// <inheritdoc />
    public void CheckEnd(SimulatedCluster cluster)
    {
        ArgumentNullException.ThrowIfNull(cluster);
        foreach (var operation in cluster.Operations)
        {
            if (operation is { IsFinal: true, Reply: null }
                && !cluster.IsStranded(new PartitionId(operation.Request.Key.Partition)))
                cluster.World.Violate("service", $"not answered after the quiet time: {operation}");
        }
    }
}
