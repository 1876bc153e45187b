using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Hosting.States;

/// <summary>The value that a change is made to. Immutable.</summary>
/// <param name="Key">The key.</param>
/// <param name="Partition">Its partition.</param>
/// <param name="Expiry">When the value expires if the change creates it; never the default form.</param>
internal readonly record struct ChangeTarget(HashedKey Key, PartitionId Partition, StateExpiry Expiry)
{
    /// <summary>How many nodes must have a copy.</summary>
    public int MinInSync { get; init; }

    /// <summary>The request, so that its repetition has no further effect; null: it is not repeated.</summary>
    public RequestId? Request { get; init; }
}
