using Cluster.Pile.Expiry;

namespace Cluster.Pile;

/// <summary>What the user knows about an object when putting it. An immutable value; <c>default</c> hints at
/// nothing.</summary>
/// <remarks>A put in place without hints keeps the time to live of the object. Room is a matter of the put: it holds
/// until the object has grown beyond it or, once linked, shrinks from above a quarter of its room to below.</remarks>
public readonly record struct PutHints
{
    /// <summary>The shortest <see cref="TimeToLive"/>: 0.1 s.</summary>
    public static TimeSpan MinTimeToLive { get; } = new(DeadlineClock.StepTicks);

    /// <summary>The longest <see cref="TimeToLive"/>: 400 days.</summary>
    public static TimeSpan MaxTimeToLive { get; } = new(DeadlineClock.StepTicks * DeadlineClock.LifeStepsMax);

    private readonly int _roomBytes;

    /// <summary>Payload bytes that the object can grow to where it is, without another slot. Takes that much memory
    /// from the start; a put that finds none throws <see cref="PileFullException"/>.</summary>
    /// <value>Zero: what the object has now.</value>
    /// <exception cref="ArgumentOutOfRangeException">Less than zero.</exception>
    public int RoomBytes
    {
        get => _roomBytes;
        init
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value, nameof(RoomBytes));
            _roomBytes = value;
        }
    }

    /// <summary>How long the object lives from this put on, by <see cref="PileOptions.TimeProvider"/>; rounded down to
    /// a clock of tenths of a second, so it ends up to 0.1 s early and never late. Afterwards it is as if deleted. Its
    /// memory serves new objects as soon as they need it, and is given back within two seconds and the time of working
    /// through the pile. Costs 8 bytes. Without effect from any use of the object.</summary>
    /// <value>Null: a new object lives until it is deleted, a put in place changes nothing about it. From
    /// <see cref="MinTimeToLive"/> to <see cref="MaxTimeToLive"/>, or <see cref="Timeout.InfiniteTimeSpan"/>: until
    /// deleted, also when a time to live was set before.</value>
    /// <exception cref="ArgumentOutOfRangeException">None of these.</exception>
    public TimeSpan? TimeToLive
    {
        get => TimeToLiveTicks == 0 ? null : new TimeSpan(TimeToLiveTicks);
        init
        {
            var isAllowed = value is null || value == Timeout.InfiniteTimeSpan
                || (value >= MinTimeToLive && value <= MaxTimeToLive);
            if (!isAllowed)
                PileErrors.TimeToLiveOutOfRange(value);
            TimeToLiveTicks = value?.Ticks ?? 0;
        }
    }

    /// <summary>Whether nothing is asked for.</summary>
    internal bool AreNone => (TimeToLiveTicks | (long)_roomBytes) == 0;

    /// <summary>The time to live in ticks: zero when not set, less when infinite.</summary>
    internal long TimeToLiveTicks { get; private init; }
}
