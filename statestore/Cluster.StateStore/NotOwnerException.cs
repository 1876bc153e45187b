namespace Cluster.StateStore;

/// <summary>This node does not hold the partition in the state that the operation needs.</summary>
public sealed class NotOwnerException : StateException
{
    internal NotOwnerException(PartitionId partition, NodeId? currentOwner, Epoch epoch, string message)
        : base(message)
    {
        Partition = partition;
        CurrentOwner = currentOwner;
        Epoch = epoch;
    }

    /// <summary>The partition in question.</summary>
    public PartitionId Partition { get; }

    /// <summary>Who owns it as far as this node knows, or null.</summary>
    public NodeId? CurrentOwner { get; }

    /// <summary>The partition's epoch as far as this node knows.</summary>
    public Epoch Epoch { get; }
}
