namespace Cluster.Pile.Records;

/// <summary>The time of the relocatable realm in steps of 0.1 s, 32 bits that go round and round. It starts at the wall
/// clock, or where another clock had got to whose deadlines go on, and then runs with the monotonic one, so no
/// adjustment of the clock ends a record. Immutable; reads the clock of
/// <see cref="PileOptions.TimeProvider"/>.</summary>
/// <remarks>Steps that are further than half a round from now, 6.8 years, cannot be told from those on the other side,
/// so a deadline lies at most <see cref="LifeStepsMax"/> ahead.</remarks>
internal sealed class RecordClock(TimeProvider time, long? firstTicks = null)
{
    public const long StepTicks = TimeSpan.TicksPerMillisecond * 100;

    /// <summary>The longest life: six years.</summary>
    public const int LifeStepsMax = (int)(6 * 365 * TimeSpan.TicksPerDay / StepTicks);

    private readonly TimeProvider _time = time;
    private readonly long _origin = time.GetTimestamp();
    private readonly long _originTicks = firstTicks ?? time.GetUtcNow().Ticks;

    /// <summary>What it runs on.</summary>
    public TimeProvider Time => _time;

    /// <summary>The step that it is now.</summary>
    public uint Now => StepAt(Ticks);

    /// <summary>The same in ticks.</summary>
    public long Ticks => _originTicks + _time.GetElapsedTime(_origin).Ticks;

    /// <summary>The step at so many ticks.</summary>
    public static uint StepAt(long ticks) => (uint)(ticks / StepTicks);

    /// <summary>The last step that begins within a life that starts now, but never zero, which stands for
    /// none.</summary>
    public uint DeadlineAfter(TimeSpan life)
    {
        var lifeTicks = Math.Min(life.Ticks, LifeStepsMax * StepTicks);
        var step = StepAt(Ticks + lifeTicks);
        return step == 0 ? uint.MaxValue : step;
    }

    /// <summary>Whether a record with this deadline, or with none, is gone.</summary>
    public bool IsPast(uint deadline) => deadline != 0 && StepsUntil(deadline, Now) <= 0;

    /// <summary>How long ago a step was.</summary>
    public TimeSpan Since(uint step) => new(-StepsUntil(step, Now) * StepTicks);

    /// <summary>How many steps are left from one to another; zero or less when it is past.</summary>
    public static long StepsUntil(uint step, uint now) => (int)(step - now);
}
