namespace Cluster.Pile.Expiry;

/// <summary>The timer of one kind of sweep: set for the earliest time at which something is due, and not set while
/// nothing is. Owned by the schedule of the sweep. One lock guards the timer, another lets one sweep run at a
/// time.</summary>
internal sealed class SweepTimer : IDisposable
{
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);

    // Timers of the base library refuse more than 49 days; a sweep that comes too early sets the timer again.
    private static readonly TimeSpan DelayMax = TimeSpan.FromDays(30);

    private readonly TimeProvider _time;
    private readonly Action _sweep;
    private readonly Lock _gate = new();
    private readonly ITimer _timer;
    private long _due = long.MaxValue;
    private bool _isStopped;

    public SweepTimer(TimeProvider time, Action sweep)
    {
        (_time, _sweep) = (time, sweep);
        _timer = time.CreateTimer(_ => OnTimer(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Held by each sweep, also by a sweep in the thread of a caller.</summary>
    public Lock Sweeping { get; } = new();

    /// <summary>Sets the timer, unless it is due earlier: that sweep sets it again for what is due later.</summary>
    public void Set(TimeSpan delay)
    {
        delay = delay < DelayMax ? delay : DelayMax;
        var due = _time.GetTimestamp() + (long)(delay.TotalSeconds * _time.TimestampFrequency);
        if (due >= Volatile.Read(ref _due))
            return;
        lock (_gate)
        {
            if (_isStopped || due >= _due)
                return;
            _due = due;
            _timer.Change(delay, Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>Stops the timer. When the pile is closed, a running sweep ends at its next step.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _isStopped = true;
            _timer.Dispose();
        }
    }

    private void OnTimer()
    {
        lock (_gate)
            Volatile.Write(ref _due, long.MaxValue);
        if (!Sweeping.TryEnter())
        {
            // The running sweep may have passed what this sweep is for.
            Set(Pause);
            return;
        }

        try
        {
            _sweep();
        }
        catch (ObjectDisposedException)
        {
            // The pile was closed during the sweep.
        }
        finally
        {
            Sweeping.Exit();
        }
    }
}
