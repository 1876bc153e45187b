namespace Cluster.Pile.Snapshots;

/// <summary>The figures of one pile's snapshots for the meter. Single values, written by one save at a time.</summary>
internal sealed class SnapshotCounters(TimeProvider time)
{
    private long _doneAt;
    private long _durationTicks;
    private long _bytes;
    private long _failures;
    private long _done;

    public long Done => Volatile.Read(ref _done);

    public long Failures => Volatile.Read(ref _failures);

    /// <summary>The bytes of the files of the newest snapshot.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    public TimeSpan Duration => new(Volatile.Read(ref _durationTicks));

    /// <summary>The time since the newest snapshot was complete.</summary>
    public TimeSpan Age => time.GetElapsedTime(Volatile.Read(ref _doneAt));

    public void NoteDone(long timestamp, TimeSpan duration, long bytes)
    {
        Volatile.Write(ref _doneAt, timestamp);
        Volatile.Write(ref _durationTicks, duration.Ticks);
        Volatile.Write(ref _bytes, bytes);
        Interlocked.Increment(ref _done);
    }

    public void NoteFailed() => Interlocked.Increment(ref _failures);
}
