using Cluster.Pile.Layout;

namespace Cluster.Pile.Expiry;

/// <summary>The steps of 0.1 s that count deadlines, in the bits that an object or a record has for its deadline.
/// Immutable.</summary>
/// <remarks>The number of the step wraps around, so a pile may run for any time: a deadline is at most
/// <see cref="LifeMax"/> ahead, and as many numbers as possible are past. An expired object is removed long before the
/// 221 days are over after which its deadline would look like a future one; an expired record has 6.8 years.</remarks>
internal sealed class DeadlineSteps
{
    public const long StepTicks = TimeSpan.TicksPerMillisecond * 100;
    private const int RecordBits = 32;

    private readonly uint _last;
    private readonly long _aheadMax;

    private DeadlineSteps(int bits, TimeSpan lifeMax)
    {
        LifeMax = lifeMax;
        _last = uint.MaxValue >> (32 - bits);
        _aheadMax = Math.Max(lifeMax.Ticks / StepTicks, _last / 2);
    }

    public static DeadlineSteps OfObjects { get; } = new(ExtendedWord.DeadlineBits, TimeSpan.FromDays(400));

    public static DeadlineSteps OfRecords { get; } = new(RecordBits, TimeSpan.FromDays(6 * 365));

    /// <summary>The longest time to live.</summary>
    public TimeSpan LifeMax { get; }

    /// <summary>The step at a time.</summary>
    public uint At(long ticks) => (uint)(ticks / StepTicks) & _last;

    /// <summary>The last step that begins until a time; never zero, which means no deadline.</summary>
    public uint DeadlineAt(long ticks) => At(ticks) is var step and not 0 ? step : _last;

    /// <summary>The next step that can be a deadline.</summary>
    public uint Next(uint step) => step == _last ? 1 : step + 1;

    /// <summary>The number of steps from one step to a deadline; zero or less when the deadline is past.</summary>
    public long Until(uint deadline, uint now)
    {
        long steps = (deadline - now) & _last;
        return steps <= _aheadMax ? steps : steps - _last - 1;
    }

    /// <summary>Whether a deadline is earlier than another one; true when the other is zero, which means no
    /// deadline.</summary>
    public bool IsBefore(uint deadline, uint other, uint now) =>
        other == 0 || Until(deadline, now) < Until(other, now);

    /// <summary>Whether what has this deadline has expired at a time after a step; false for zero, which means no
    /// deadline.</summary>
    public bool IsPast(uint deadline, uint step, long ticksSince = 0) =>
        deadline != 0 && Until(deadline, step) * StepTicks <= ticksSince;
}
