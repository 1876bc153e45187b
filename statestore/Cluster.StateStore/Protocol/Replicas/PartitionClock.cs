using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Replicas;

/// <summary>The time of a partition, in ticks of UTC, by which lives end. It runs with the node's monotonic clock and
/// goes on where the former primary's was. It follows the wall clock of the primary by at most an eighth of the time
/// that passes. So a wall clock that is wrong, or that jumps, changes a life by at most an eighth. Changed under the
/// shard's lock; other threads may read it.</summary>
internal sealed class PartitionClock
{
    private const int SteeringShare = 8;

    // No offset is known.
    private const long None = long.MinValue;

    private long _offset = None;
    private long _latest;
    private long _steeredAt;

    /// <summary>The latest time that was told or given. The time never falls below it.</summary>
    public long Latest => Volatile.Read(ref _latest);

    /// <summary>Returns the time at a moment of the monotonic clock.</summary>
    public long At(long ticks) =>
        Volatile.Read(ref _offset) is var offset && offset == None ? Latest : Math.Max(Latest, ticks + offset);

    /// <summary>Takes note of a time that this node has given to an entry.</summary>
    public void Gave(long time) => Volatile.Write(ref _latest, Math.Max(_latest, time));

    /// <summary>Goes on from a time that the primary has told.</summary>
    /// <param name="time">The time.</param>
    /// <param name="ticks">The monotonic clock.</param>
    public void Told(long time, long ticks)
    {
        Gave(time);
        Volatile.Write(ref _offset, time - ticks);
    }

    /// <summary>This node is the primary now. Without anything told, the time is that of its wall clock.</summary>
    /// <param name="now">The moment.</param>
    public void Begin(Moment now)
    {
        _steeredAt = now.Ticks;
        if (_offset == None)
            Volatile.Write(ref _offset, Math.Max(_latest, now.Utc) - now.Ticks);
    }

    /// <summary>Lets the time follow the wall clock of this node, which is the primary.</summary>
    /// <param name="now">The moment.</param>
    public void Steer(Moment now)
    {
        var most = Math.Max(0, now.Ticks - _steeredAt) / SteeringShare;
        _steeredAt = now.Ticks;
        Volatile.Write(ref _offset, _offset + Math.Clamp(now.Utc - now.Ticks - _offset, -most, most));
    }

    /// <summary>Forgets everything.</summary>
    public void Reset()
    {
        Volatile.Write(ref _offset, None);
        Volatile.Write(ref _latest, 0);
    }
}
