using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Hosting.Feeds;

/// <summary>Puts the replies of several nodes to the watches of one state together: which changes are new, where some
/// may have been missed, and how new the knowledge of each partition is. A pure state machine without a clock; used by
/// one caller at a time.</summary>
/// <param name="partitionCount">The partitions of the set.</param>
internal sealed class FeedTracker(int partitionCount)
{
    private readonly Known[] _known = new Known[partitionCount];

    /// <summary>Takes a reply.</summary>
    /// <param name="node">The node that wrote it.</param>
    /// <param name="page">What it says.</param>
    /// <param name="askedAt">When this process sent the question first, by its own clock. Nothing that the reply says
    /// is older.</param>
    /// <param name="reader">Gets what follows from it, in order.</param>
    public void Received(NodeId node, FeedPage page, long askedAt, IFeedReader reader)
    {
        foreach (var (index, epoch, after) in page.Begun)
            Begin(node, index, epoch, after, reader);
        foreach (var change in page.Changes)
        {
            if (_known[change.Index].Node == node)
                reader.Changed(change);
        }

        foreach (var (index, until) in page.Heads)
        {
            ref var known = ref _known[index];
            if (known.Node == node && until > known.Until)
                known.Until = until;
        }

        if (page.Served is not { } served)
            return;
        for (var index = 0; index < partitionCount; index++)
        {
            var isServed = (served[index / 8] & (1 << (index % 8))) != 0;
            if (isServed && _known[index].Node == node)
                reader.Confirmed(index, askedAt);
        }
    }

    // The changes go on without a gap where the new node begins after the last entry that the former one told.
    private void Begin(NodeId node, int index, long epoch, EntryId after, IFeedReader reader)
    {
        ref var known = ref _known[index];
        if (known.Node is not null && epoch < known.Epoch)
            return;
        var isWhole = known.Node is not null && known.Until == after;
        known = new Known(node, epoch, after);
        if (!isWhole)
            reader.Begun(index);
    }

    /// <summary>What is known of a partition: which node tells of it, in which epoch, and up to which entry.</summary>
    private record struct Known(NodeId? Node, long Epoch, EntryId Until);
}
