namespace Cluster.StateStore;

/// <summary>A change of a partition named an older epoch than the one that this node already acts on. Read the table
/// again.</summary>
public sealed class StaleEpochException : StateException
{
    internal StaleEpochException(PartitionId partition, Epoch given, Epoch known)
        : base($"Partition {partition} is at epoch {known} on this node; a change to epoch {given} comes too late.")
    {
        Partition = partition;
        Given = given;
        Known = known;
    }

    /// <summary>The partition in question.</summary>
    public PartitionId Partition { get; }

    /// <summary>The epoch that the change named.</summary>
    public Epoch Given { get; }

    /// <summary>The epoch that this node acts on.</summary>
    public Epoch Known { get; }
}
