using Cluster.Pile.Expiry;
using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Caching;

/// <summary>Converts the expiry settings of entries into the times of their records. Owned by one table;
/// immutable.</summary>
internal sealed class LifeRules(LifeSettings settings, DeadlineClock clock, TimeProvider time)
{
    private readonly LifeSettings _settings = settings;
    private readonly DeadlineClock _clock = clock;
    private readonly TimeProvider _time = time;

    /// <summary>Whether reads extend the time to live of entries.</summary>
    public bool IsSliding => _settings.SlidingExpiration is not null;

    /// <summary>The times of an entry that is put now.</summary>
    public EntryLife LifeOf(in EntryOptions terms)
    {
        var maxAge = terms.MaxAge ?? _settings.MaxAge;
        if (maxAge == Timeout.InfiniteTimeSpan)
            maxAge = null;
        if (!IsSliding && terms.AbsoluteExpiration is null)
        {
            return maxAge is { } age
                ? new EntryLife(true, RenewedByAge(StepsOf(age)), null)
                : new EntryLife(_settings.TracksAge, 0, null);
        }

        var cap = terms.AbsoluteExpiration is { } end ? StepAt(end) : 0;
        var span = _settings.SlidingExpiration;
        if (span is null)
            span = maxAge;
        else if (maxAge is { } age)
            cap = Earlier(cap, _clock.DeadlineAfter(age));
        var bounds = new EntryBounds(cap, span is { } renewal ? StepsOf(renewal) : 0);
        return new EntryLife(true, RenewedWithin(bounds), bounds);
    }

    /// <summary>The deadline of a record that is renewed now; its present deadline when nothing renews it.</summary>
    public uint Renewed(RecordTimes times, EntryBounds? bounds) =>
        bounds is { } known ? RenewedWithin(known)
            : times.Deadline == 0 ? 0
            // An odd step of the put has shortened the deadline by one step. The step is added here again, so that
            // renewals do not shorten the age.
            : RenewedByAge((uint)(DeadlineSteps.OfRecords.Until(times.Deadline, times.Put) + 1) & ~1U);

    /// <summary>Whether an entry is older than a read allows.</summary>
    public bool IsTooOld(RecordTimes times, TimeSpan? maxAge)
    {
        if (maxAge is null)
            return false;
        if (!_settings.TracksAge)
            CacheErrors.AgeIsNotTracked();
        return DeadlineSteps.OfRecords.Until(_clock.Now, times.Put) * DeadlineSteps.StepTicks > maxAge.Value.Ticks;
    }

    private static uint StepsOf(TimeSpan span) => (uint)(span.Ticks / DeadlineSteps.StepTicks) & ~1U;

    private uint RenewedByAge(uint steps)
    {
        var deadline = (_clock.Now + steps) & ~1U;

        // Zero stands for no deadline.
        return deadline == 0 ? uint.MaxValue - 1 : deadline;
    }

    private uint RenewedWithin(EntryBounds bounds)
    {
        var deadline = bounds.Span == 0 ? bounds.Cap : Earlier(bounds.Cap, _clock.Now + bounds.Span);
        return (deadline & 1) != 0 ? deadline : deadline - 1;
    }

    private uint Earlier(uint cap, uint other)
    {
        var now = _clock.Now;
        return cap != 0 && _clock.Steps.Until(cap, now) < _clock.Steps.Until(other, now) ? cap : other;
    }

    private uint StepAt(DateTimeOffset end)
    {
        var left = end - _time.GetUtcNow();
        if (left > CacheTableOptions.MaxMaxAge)
            CacheErrors.ExpirationTooFar(end, CacheTableOptions.MaxMaxAge);
        return _clock.DeadlineAfter(left);
    }
}

/// <summary>The expiry of an entry as its record stores it. An immutable value.</summary>
/// <remarks>Bit 0 of a deadline says how it can be renewed. Even: the entry has only a maximal age, which is the time
/// from its put to its deadline. Odd: the last eight bytes of its value are its bounds.</remarks>
/// <param name="IsTimed">Whether the record has times.</param>
/// <param name="Deadline">The step from which on it has expired; zero for none.</param>
/// <param name="Bounds">The bounds of its renewal, where the deadline alone does not define them.</param>
internal readonly record struct EntryLife(bool IsTimed, uint Deadline, EntryBounds? Bounds)
{
    /// <summary>Whether the value of a record with this deadline ends with bounds.</summary>
    public static bool HasBounds(uint deadline) => (deadline & 1) != 0;
}
