using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Hosting.Formats;

/// <summary>What a reply to a watch says. Immutable.</summary>
internal sealed record FeedPage
{
    /// <summary>The partitions, by their numbers within the set, of which all changes come from now on: after an entry,
    /// in an epoch.</summary>
    public ImmutableArray<(int Index, long Epoch, EntryId After)> Begun { get; init; } = [];

    /// <summary>The changes, those of one partition in their order.</summary>
    public ImmutableArray<FeedChange> Changes { get; init; } = [];

    /// <summary>Up to which entry the changes of a partition are told with this reply, where there is a newer
    /// one.</summary>
    public ImmutableArray<(int Index, EntryId Until)> Heads { get; init; } = [];

    /// <summary>One bit for each partition of the set: set where the node had the right to answer reads when it wrote
    /// the reply. Null: the reply does not say.</summary>
    public byte[]? Served { get; init; }
}
