namespace Cluster.StateStore;

/// <summary>The key's partition could not be reached in time. The operation has not happened and may be tried again
/// later.</summary>
public sealed class StateUnavailableException : StateException
{
    internal StateUnavailableException(
        string state, PartitionId? partition, ClusterOwner? owner, string reason, Exception? inner = null)
        : base(Describe(state, partition, owner, reason), inner)
    {
        State = state;
        Partition = partition;
        Owner = owner?.Node;
        Reason = reason;
    }

    /// <summary>The name of the state.</summary>
    public string State { get; }

    /// <summary>The key's partition, or null while no node has joined that has the state.</summary>
    public PartitionId? Partition { get; }

    /// <summary>Who owns the partition as far as this node knows, or null when nobody does.</summary>
    public NodeId? Owner { get; }

    /// <summary>Why it could not be reached.</summary>
    public string Reason { get; }

    private static string Describe(string state, PartitionId? partition, ClusterOwner? owner, string reason)
    {
        var who = owner is { } known ? $"owned by {known.Node} at {LogText.Clean(known.Address)}" : "without an owner";
        return partition is null
            ? $"State '{state}' is unavailable: {reason}."
            : $"Partition {partition} of state '{state}', {who}, is unavailable: {reason}.";
    }
}
