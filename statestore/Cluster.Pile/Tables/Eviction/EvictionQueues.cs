using Cluster.Pile.Tables.Log;

namespace Cluster.Pile.Tables.Eviction;

/// <summary>The segments that are evicted next among those of the lowest priority: the oldest small one (new records)
/// and the oldest main one (records that were read often enough to stay longer). An immutable value.</summary>
/// <param name="Small">The oldest segment of new records.</param>
/// <param name="Main">The oldest segment of the other records.</param>
/// <param name="IsSmallDue">Whether new records have more than their share of the table.</param>
/// <param name="IsSmallAmple">Whether new records have more than they need while all other records are in
/// demand.</param>
internal readonly record struct EvictionQueues(LogSegment? Small, LogSegment? Main, bool IsSmallDue, bool IsSmallAmple)
{
    private const int SmallShare = 10;

    // In a loop over the keys, only records in main segments are ever hit. New records need some room to show that
    // demand changes.
    private const int SmallShareNeeded = 2 * SmallShare;

    /// <summary>The priority of these segments; null when there is no segment.</summary>
    public byte? Priority => (Small ?? Main)?.Class.Priority;

    /// <summary>The queues of the lowest priority that has segments and is at most
    /// <paramref name="priorityMax"/>.</summary>
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
