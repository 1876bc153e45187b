namespace Cluster.Pile.Expiry;

/// <summary>The one timer of a pile: starts each sweep of the pile when the sweep is due, and is not set while none is.
/// Owned by the pile; its lock guards all due times.</summary>
/// <remarks>The timer is set for the next sweep before the due ones run, so no sweep waits for a long one.</remarks>
internal sealed class SweepTimer : IDisposable
{
    // Timers of the base library refuse more than 49 days; a sweep that comes too early sets the timer again.
    private static readonly TimeSpan DelayMax = TimeSpan.FromDays(30);

    private readonly TimeProvider _time;
    private readonly long _origin;
    private readonly Lock _gate = new();
    private readonly ITimer _timer;
    private readonly List<TimedSweep> _sweeps = [];
    private TimeSpan _firesAt = TimeSpan.MaxValue;
    private bool _isStopped;

    public SweepTimer(TimeProvider time)
    {
        (_time, _origin) = (time, time.GetTimestamp());
        _timer = time.CreateTimer(_ => OnTimer(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    private TimeSpan Now => _time.GetElapsedTime(_origin);

    public void Add(TimedSweep sweep)
    {
        lock (_gate)
            _sweeps.Add(sweep);
    }

    /// <summary>Makes a sweep due after a delay, unless it is due earlier: that run asks again for what is due
    /// later.</summary>
    public void Set(TimedSweep sweep, TimeSpan delay)
    {
        var dueAt = Now + (delay < DelayMax ? delay : DelayMax);
        lock (_gate)
        {
            if (dueAt >= sweep.DueAt)
                return;
            sweep.DueAt = dueAt;
            SetNeedsLock(dueAt);
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

    private void SetNeedsLock(TimeSpan dueAt)
    {
        if (_isStopped || dueAt >= _firesAt)
            return;
        _firesAt = dueAt;
        var left = Math.Max(0, Math.Ceiling((dueAt - Now).TotalMilliseconds));
        _timer.Change(TimeSpan.FromMilliseconds(left), Timeout.InfiniteTimeSpan);
    }

    private void OnTimer()
    {
        List<TimedSweep> due;
        lock (_gate)
        {
            var firesAt = _firesAt;
            _firesAt = TimeSpan.MaxValue;
            due = _sweeps.FindAll(sweep => sweep.DueAt <= firesAt && sweep.DueAt < TimeSpan.MaxValue);
            due.ForEach(sweep => sweep.DueAt = TimeSpan.MaxValue);
            foreach (var sweep in _sweeps.Where(sweep => sweep.DueAt < TimeSpan.MaxValue))
                SetNeedsLock(sweep.DueAt);
        }

        due.ForEach(sweep => sweep.Run());
    }
}
