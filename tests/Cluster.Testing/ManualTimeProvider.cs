namespace Cluster.Testing;

/// <summary>A clock that stands still until a test advances it. While <see cref="Advance"/> runs, timers and
/// <c>Task.Delay(…, timeProvider)</c> of the code under test come due in order, on the thread that advances the clock.
/// Timers that are due at once also wait for an advance, which may be zero. A private lock protects the timer list;
/// callbacks run outside it.</summary>
/// <remarks>Makes a clock that stands at the given time, in UTC; by default the first of January 2026.</remarks>
/// <param name="start">The first time that the clock shows.</param>
public sealed class ManualTimeProvider(DateTimeOffset? start = null) : TimeProvider
{
    private readonly Lock _lock = new();
    private readonly List<ManualTimer> _armed = [];
    private readonly DateTimeOffset _start = start ?? new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);
    private TimeSpan _elapsed;

    /// <summary>The time by which the clock has been advanced since it was made.</summary>
    public TimeSpan Elapsed
    {
        get
        {
            lock (_lock)
                return _elapsed;
        }
    }

    /// <summary>The number of timers that are armed. A test waits for it before it advances the clock, so that the code
    /// under test already sleeps.</summary>
    public int ArmedTimerCount
    {
        get
        {
            lock (_lock)
                return _armed.Count;
        }
    }

    /// <summary>The time until the next timer comes due; <c>null</c> if none is armed.</summary>
    public TimeSpan? UntilNextTimer
    {
        get
        {
            lock (_lock)
                return _armed.Count == 0 ? null : _armed.Min(timer => timer.Due) - _elapsed;
        }
    }

    /// <inheritdoc/>
    public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

    /// <inheritdoc/>
    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow() => _start + Elapsed;

    /// <inheritdoc/>
    public override long GetTimestamp() => Elapsed.Ticks;

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        ArgumentNullException.ThrowIfNull(callback);
        var timer = new ManualTimer(this, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>Moves the clock forward. Every timer that comes due on the way runs at its due time. A timer that a
    /// callback arms also runs if it comes due within the span.</summary>
    /// <param name="span">The time to advance; zero runs the timers that are due now.</param>
    public void Advance(TimeSpan span)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(span, TimeSpan.Zero);
        var target = Elapsed + span;
        while (TakeNextDue(target) is { } due)
            due.Fire();

        lock (_lock)
            _elapsed = target > _elapsed ? target : _elapsed;
    }

    /// <summary>Waits, in real time, until at least this number of timers is armed, so that an advance meets a sleeping
    /// loop.</summary>
    /// <param name="count">The minimum number of armed timers.</param>
    /// <param name="bound">The maximum wait; a minute by default.</param>
    public Task WaitForTimersAsync(int count = 1, TimeSpan? bound = null) =>
        Eventually.TrueAsync(
            () => ArmedTimerCount >= count, bound ?? TimeSpan.FromMinutes(1), $"{count} armed timers");

    internal bool Arm(ManualTimer timer, TimeSpan dueTime, TimeSpan period)
    {
        lock (_lock)
        {
            _armed.Remove(timer);
            if (timer.IsDisposed)
                return false;

            if (dueTime == Timeout.InfiniteTimeSpan)
                return true;

            timer.Due = _elapsed + dueTime;
            timer.Period = period;
            _armed.Add(timer);
            return true;
        }
    }

    internal void Disarm(ManualTimer timer)
    {
        lock (_lock)
        {
            timer.IsDisposed = true;
            _armed.Remove(timer);
        }
    }

    private ManualTimer? TakeNextDue(TimeSpan target)
    {
        lock (_lock)
        {
            var next = _armed.MinBy(timer => timer.Due);
            if (next is null || next.Due > target)
                return null;

            // Time must never run backwards, not even if a callback has advanced the clock itself.
            _elapsed = next.Due > _elapsed ? next.Due : _elapsed;
            _armed.Remove(next);
            if (next.Period > TimeSpan.Zero)
            {
                next.Due += next.Period;
                _armed.Add(next);
            }

            return next;
        }
    }
}
