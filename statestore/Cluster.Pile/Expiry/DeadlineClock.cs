using Cluster.Pile.Layout;

namespace Cluster.Pile.Expiry;

/// <summary>The time of one pile in steps of 0.1 s since it began, as the 29 bits that an object has for its deadline.
/// Immutable; reads the clock of <see cref="PileOptions.TimeProvider"/>.</summary>
/// <remarks>The steps are counted round and round, so a pile may run for any time: a deadline lies at most
/// <see cref="PutHints.LifeSpanMax"/> ahead, and everything else is past. An object whose deadline is past is removed
/// long before the 221 days that are left of the round.</remarks>
/// <remarks>Begins at a step: zero, or where another clock had got to whose deadlines go on.</remarks>
internal sealed class DeadlineClock(TimeProvider time, uint firstStep = 0)
{
    public const long StepTicks = TimeSpan.TicksPerMillisecond * 100;

    /// <summary>The longest life: 400 days.</summary>
    public const int LifeStepsMax = (int)(400 * TimeSpan.TicksPerDay / StepTicks);

    private readonly TimeProvider _time = time;
    private readonly long _origin = time.GetTimestamp();
    private readonly long _originTicks = firstStep * StepTicks;

    /// <summary>The step that it is now.</summary>
    public uint Now => StepAt(ElapsedTicks);

    private long ElapsedTicks => _originTicks + _time.GetElapsedTime(_origin).Ticks;

    /// <summary>The last step that begins within the life span, but never zero, which stands for none.</summary>
    public uint DeadlineAfter(long lifeSpanTicks)
    {
        var step = StepAt(ElapsedTicks + lifeSpanTicks);
        return step == 0 ? ExtendedWord.DeadlineMax : step;
    }

    /// <summary>Whether an object with this deadline, or with none, is gone.</summary>
    public bool IsPast(uint deadline) => deadline != 0 && StepsUntil(deadline, Now) <= 0;

    /// <summary>How many steps are left from one to a deadline; zero or less when it is past.</summary>
    public static int StepsUntil(uint deadline, uint now)
    {
        var steps = (int)((deadline - now) & ExtendedWord.DeadlineMax);
        return steps <= LifeStepsMax ? steps : steps - (1 << ExtendedWord.DeadlineBits);
    }

    /// <summary>The step after this one that can be a deadline.</summary>
    public static uint Next(uint step) => step == ExtendedWord.DeadlineMax ? 1 : step + 1;

    private static uint StepAt(long ticks) => (uint)(ticks / StepTicks) & ExtendedWord.DeadlineMax;
}
