namespace Cluster.Pile.Tables.Log;

/// <summary>The time of records in steps of 0.1 s: 32 bits that wrap around. The clock starts at the wall clock, or at
/// the last value of an earlier clock whose deadlines continue. Then it follows the monotonic clock, so no adjustment
/// of the wall clock expires a record. Immutable; reads the clock of <see cref="PileOptions.TimeProvider"/>.</summary>
/// <remarks>A step further than half a round from now (6.8 years) would look like a step on the other side of now, so a
/// deadline lies at most <see cref="LifeStepsMax"/> ahead.</remarks>
internal sealed class RecordClock(TimeProvider time, long? firstTicks = null)
{
    public const long StepTicks = TimeSpan.TicksPerMillisecond * 100;

    /// <summary>The longest life in steps: six years.</summary>
    public const int LifeStepsMax = (int)(6 * 365 * TimeSpan.TicksPerDay / StepTicks);

    private readonly TimeProvider _time = time;
    private readonly long _origin = time.GetTimestamp();
    private readonly long _originTicks = firstTicks ?? time.GetUtcNow().Ticks;

    public TimeProvider Time => _time;

    /// <summary>The present step.</summary>
    public uint Now => StepAt(Ticks);

    /// <summary>The present time in ticks.</summary>
    public long Ticks => _originTicks + _time.GetElapsedTime(_origin).Ticks;

    public static uint StepAt(long ticks) => (uint)(ticks / StepTicks);

    /// <summary>The last step that begins within a life that starts now. Never zero, which means no deadline.</summary>
    public uint DeadlineAfter(TimeSpan life)
    {
        var lifeTicks = Math.Min(life.Ticks, LifeStepsMax * StepTicks);
        var step = StepAt(Ticks + lifeTicks);
        return step == 0 ? uint.MaxValue : step;
    }

    /// <summary>Whether a record with this deadline has expired; false for zero, which means no deadline.</summary>
    public bool IsPast(uint deadline) => deadline != 0 && StepsUntil(deadline, Now) <= 0;

    /// <summary>How long ago a step was.</summary>
    public TimeSpan Since(uint step) => new(-StepsUntil(step, Now) * StepTicks);

    /// <summary>How many steps are left from <paramref name="now"/> to <paramref name="step"/>; zero or less when the
    /// step has passed.</summary>
    public static long StepsUntil(uint step, uint now) => (int)(step - now);
}
