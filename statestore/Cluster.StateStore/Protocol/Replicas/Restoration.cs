using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Replicas;

/// <summary>What this node knows about restoring a lost partition from its snapshot. Used under the shard's lock.
/// </summary>
/// <param name="epoch">The last epoch of the members that are gone.</param>
/// <param name="lossCount">The count of losses before this one.</param>
internal sealed class Restoration(long epoch, int lossCount)
{
    /// <summary>The last epoch of the members that are gone.</summary>
    public long Epoch { get; } = epoch;

    /// <summary>The count of losses before this one.</summary>
    public int LossCount { get; } = lossCount;

    /// <summary>Up to which entry the snapshot has everything; zero: there is no snapshot; null: the search has not
    /// ended.</summary>
    public EntryId? Mark { get; set; }

    /// <summary>Whether the snapshot is being loaded.</summary>
    public bool IsLoading { get; set; }
}
