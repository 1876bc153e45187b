namespace Cluster.Pile.Expiry;

/// <summary>The time of the objects or of the records of one pile, in steps. It continues an earlier clock, or starts
/// at a given time, and then follows the monotonic clock of <see cref="PileOptions.TimeProvider"/>: no adjustment of
/// the wall clock expires anything. Immutable.</summary>
internal sealed class DeadlineClock(TimeProvider time, DeadlineSteps steps, long firstTicks)
{
    private readonly TimeProvider _time = time;
    private readonly long _origin = time.GetTimestamp();
    private readonly long _firstTicks = firstTicks;

    public DeadlineSteps Steps { get; } = steps;

    /// <summary>The present step.</summary>
    public uint Now => Steps.At(Ticks);

    /// <summary>The present time in ticks.</summary>
    public long Ticks => _firstTicks + _time.GetElapsedTime(_origin).Ticks;

    /// <summary>The last step that begins within a time to live that starts now.</summary>
    public uint DeadlineAfter(TimeSpan timeToLive) =>
        Steps.DeadlineAt(Ticks + Math.Min(timeToLive.Ticks, Steps.LifeMax.Ticks));

    /// <summary>Whether what has this deadline has expired; false for zero, which means no deadline.</summary>
    public bool IsPast(uint deadline) => deadline != 0 && Steps.IsPast(deadline, Now);
}
