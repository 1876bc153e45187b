namespace Cluster.StateStore.Engine;

/// <summary>Until when each partition may be read here without the engine's lock. The engine sets the gates under its
/// lock; readers look at a gate before and after they read a record.</summary>
/// <param name="partitionCount">The partitions of the cluster.</param>
internal sealed class ReadGates(int partitionCount)
{
    private readonly long[] _until = new long[partitionCount];

    /// <summary>Whether a partition may be read at a moment of the monotonic clock.</summary>
    public bool IsOpen(PartitionId partition, long now) => now < Volatile.Read(ref _until[partition.Value]);

    /// <summary>Sets a gate; <see cref="long.MinValue"/> closes it.</summary>
    public void Set(PartitionId partition, long until) => Volatile.Write(ref _until[partition.Value], until);
}
