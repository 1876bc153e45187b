namespace Cluster.Pile.Records;

/// <summary>The segments of the lowest priority whose turn to be evicted comes next: of new records, and of those that
/// were read often enough to stay longer. An immutable value.</summary>
/// <param name="Small">The oldest segment of new records.</param>
/// <param name="Main">The oldest one of the others.</param>
/// <param name="IsSmallDue">Whether new records have more than their share.</param>
/// <param name="IsSmallAmple">Whether they have more than they need while all others are in demand.</param>
internal readonly record struct EvictionQueues(LogSegment? Small, LogSegment? Main, bool IsSmallDue, bool IsSmallAmple)
{
    private const int SmallShare = 10;

    // Of a loop, only what is in main segments is ever hit; what is new needs some room to show that demand changes.
    private const int SmallShareNeeded = 2 * SmallShare;

    /// <summary>The priority; none when there is no segment.</summary>
    public byte? Priority => (Small ?? Main)?.Class.Priority;

    /// <summary>The queues of no higher priority.</summary>
    public static EvictionQueues Of(RecordSpace space, LogSegment[] segments, byte priorityMax)
    {
        LogSegment? small = null;
        LogSegment? main = null;
        long smallBytes = 0;
        long bytes = 0;
        foreach (var segment in segments)
        {
            var lowest = (small ?? main)?.Class.Priority ?? priorityMax;
            if (segment.IsEmptied || segment.Class.Priority > lowest)
                continue;
            if (segment.Class.Priority < lowest)
                (small, main, smallBytes, bytes) = (null, null, 0, 0);
            var live = space.LiveBytes(segment);
            bytes += live;
            smallBytes += segment.Class.IsMain ? 0 : live;
            ref var oldest = ref segment.Class.IsMain ? ref main : ref small;
            if (oldest is null || segment.Turn < oldest.Turn)
                oldest = segment;
        }

        var isDue = main is null || smallBytes * SmallShare >= bytes;
        return new EvictionQueues(small, main, isDue, isDue || smallBytes * SmallShareNeeded >= bytes);
    }
}
