namespace Cluster.Nodes.Clocks;

/// <summary>The clock of leases and graces. Its timestamps also count the time for which the machine was suspended, and
/// its timers fire on one thread of its own, so that a starved thread pool delays none of them. A callback must be
/// short, because it delays the other timers; an exception of a callback ends the process, as with the timers of the
/// system. UTC is that of the system. Thread-safe; the timers are protected by <see cref="TimerThread"/>.</summary>
internal sealed class SuspendAwareTimeProvider : TimeProvider, IDisposable
{
    private readonly TimerThread _timers = new();

    /// <inheritdoc />
    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <inheritdoc />
    public override long GetTimestamp() => BootClock.Read();

    /// <inheritdoc />
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        ArgumentNullException.ThrowIfNull(callback);
        var timer = new ThreadTimer(_timers, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>Ends the thread of the timers, which fire no more. A callback that runs now ends before.</summary>
    public void Dispose() => _timers.Dispose();
}
