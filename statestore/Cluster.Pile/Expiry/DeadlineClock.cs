using Cluster.Pile.Layout;

namespace Cluster.Pile.Expiry;

/// <summary>The time of one pile in steps of 0.1 s, in the 29 bits that an object has for its deadline. Immutable;
/// reads the clock of <see cref="PileOptions.TimeProvider"/>.</summary>
/// <remarks>The number of the step wraps around, so a pile may run for any time: a deadline is at most
/// <see cref="PutHints.MaxTimeToLive"/> ahead, and all other numbers are past. An expired object is removed long before
/// the 221 days are over after which its deadline would look like a future one.</remarks>
/// <remarks>The first step is zero, or the last step of the earlier clock whose deadlines this pile
/// continues.</remarks>
internal sealed class DeadlineClock(TimeProvider time, uint firstStep = 0)
{
    public const long StepTicks = TimeSpan.TicksPerMillisecond * 100;

    /// <summary>The longest time to live: 400 days.</summary>
    public const int LifeStepsMax = (int)(400 * TimeSpan.TicksPerDay / StepTicks);

    private readonly TimeProvider _time = time;
    private readonly long _origin = time.GetTimestamp();
    private readonly long _originTicks = firstStep * StepTicks;

    /// <summary>The current step.</summary>
    public uint Now => StepAt(ElapsedTicks);

    private long ElapsedTicks => _originTicks + _time.GetElapsedTime(_origin).Ticks;

    /// <summary>The last step that begins within the time to live; never zero, which means no deadline.</summary>
    public uint DeadlineAfter(long timeToLiveTicks)
    {
        var step = StepAt(ElapsedTicks + timeToLiveTicks);
        return step == 0 ? ExtendedWord.DeadlineMax : step;
    }

    /// <summary>Whether an object with this deadline has expired. An object without a deadline (zero) has
    /// not.</summary>
    public bool IsPast(uint deadline) => deadline != 0 && StepsUntil(deadline, Now) <= 0;

    /// <summary>The number of steps from one step to a deadline; zero or less when the deadline is past.</summary>
    public static int StepsUntil(uint deadline, uint now)
    {
        var steps = (int)((deadline - now) & ExtendedWord.DeadlineMax);
        return steps <= LifeStepsMax ? steps : steps - (1 << ExtendedWord.DeadlineBits);
    }

    /// <summary>The next step that can be a deadline.</summary>
    public static uint Next(uint step) => step == ExtendedWord.DeadlineMax ? 1 : step + 1;

    private static uint StepAt(long ticks) => (uint)(ticks / StepTicks) & ExtendedWord.DeadlineMax;
}
