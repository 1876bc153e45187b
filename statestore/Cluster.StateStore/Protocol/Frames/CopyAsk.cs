using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Protocol.Frames;

/// <summary>The target of a copy asks the primary to begin. Immutable.</summary>
/// <param name="Partition">The partition.</param>
/// <param name="Epoch">The epoch that the target knows.</param>
/// <param name="Copy">The target's number of the copy; another number begins again.</param>
internal sealed record CopyAsk(PartitionId Partition, long Epoch, long Copy)
{
    /// <summary>What the target has from an earlier life; null: nothing. Only the question itself carries it, and only
    /// to a primary that knows such questions.</summary>
    public BaseMark? Base { get; init; }
}
