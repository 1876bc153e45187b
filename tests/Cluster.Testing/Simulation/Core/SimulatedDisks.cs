using Cluster.Contracts;

namespace Cluster.Testing.Simulation.Core;

/// <summary>The disks of the machines of a run, which keep snapshots of partitions while programs end and begin. Used
/// by one thread.</summary>
internal sealed class SimulatedDisks
{
    private readonly Dictionary<(string Machine, PartitionId Partition), SimulatedSnapshot> _snapshots = [];

    /// <summary>The snapshot of a partition on a machine; null: there is none.</summary>
    public SimulatedSnapshot? this[string machine, PartitionId partition]
    {
        get => _snapshots.GetValueOrDefault((machine, partition));
        set => _snapshots[(machine, partition)] = value!;
    }
}
