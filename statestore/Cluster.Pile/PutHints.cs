using Cluster.Pile.Expiry;

namespace Cluster.Pile;

/// <summary>What the user knows about an object that is put. An immutable value; <c>default</c> has no hints.</summary>
/// <remarks>A put in place without hints keeps the time to live of the object. Room belongs to the put that asked for
/// it: it lasts until the object outgrows it, or until a linked object shrinks from above a quarter of its room to
/// below.</remarks>
public readonly record struct PutHints
{
    /// <summary>The shortest <see cref="TimeToLive"/>: 0.1 s.</summary>
    public static TimeSpan MinTimeToLive { get; } = new(DeadlineSteps.StepTicks);

    /// <summary>The longest <see cref="TimeToLive"/>: 400 days.</summary>
    public static TimeSpan MaxTimeToLive { get; } = DeadlineSteps.OfObjects.LifeMax;

    private readonly int _roomBytes;

    /// <summary>The number of payload bytes to which the object can grow in its slot. The put takes that much memory at
    /// once, and throws <see cref="PileFullException"/> when there is not enough.</summary>
    /// <value>Zero: the present size of the object.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public int RoomBytes
    {
        get => _roomBytes;
        init
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value, nameof(RoomBytes));
            _roomBytes = value;
        }
    }

    /// <summary>The time that the object lives from this put on, measured by <see cref="PileOptions.TimeProvider"/>.
    /// The object expires up to 0.1 s early, because the clock has steps of 0.1 s, and never late. An expired object is
    /// treated as deleted. Its memory is reused as soon as new objects need it, and is freed within two seconds plus
    /// the time of one pass over the pile. Costs 8 bytes. Using the object does not extend the time.</summary>
    /// <value>Null: a new object lives until it is deleted; a put in place keeps the time to live. From
    /// <see cref="MinTimeToLive"/> to <see cref="MaxTimeToLive"/>, or <see cref="Timeout.InfiniteTimeSpan"/>: until
    /// deleted, also when a time to live was set before.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is none of these.</exception>
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

    internal bool AreNone => (TimeToLiveTicks | (long)_roomBytes) == 0;

    /// <summary>The time to live in ticks: zero when not set, less when infinite.</summary>
    internal long TimeToLiveTicks { get; private init; }
}
