namespace Cluster.StateStore.Engine;

/// <summary>Until when each partition may be read here without the engine's lock, and how new the content of each
/// backup is. The engine sets the gates under its lock; readers look at a gate before and after they read a
/// record.</summary>
/// <param name="partitionCount">The partitions of the cluster.</param>
internal sealed class ReadGates(int partitionCount)
{
    private readonly long[] _until = new long[partitionCount];
    private readonly bool[] _isReplicated = new bool[partitionCount];
    private readonly long[] _freshAt = new long[partitionCount];

    /// <summary>Until when a partition may be read, by the monotonic clock; <see cref="long.MaxValue"/>: without an
    /// end.</summary>
    public long UntilOf(PartitionId partition) => Volatile.Read(ref _until[partition.Value]);

    /// <summary>Whether other nodes get the entries of a partition, so that some may be uncommitted. A hint: it may be
    /// out of date.</summary>
    public bool IsReplicated(PartitionId partition) => Volatile.Read(ref _isReplicated[partition.Value]);

    /// <summary>The moment of the monotonic clock of which a backup is known to have all; zero: none is
    /// known.</summary>
    public long FreshAt(PartitionId partition) => Volatile.Read(ref _freshAt[partition.Value]);

    /// <summary>Sets a gate; <see cref="long.MinValue"/> closes it.</summary>
    public void Set(PartitionId partition, long until, bool isReplicated)
    {
        Volatile.Write(ref _isReplicated[partition.Value], isReplicated);
        Volatile.Write(ref _until[partition.Value], until);
    }

    /// <summary>Sets how new the content of a backup is; zero: it answers no reads.</summary>
    public void SetFresh(PartitionId partition, long at) => Volatile.Write(ref _freshAt[partition.Value], at);
}
