namespace Cluster.Glue.Scheduling;

/// <summary>The only timer of a link. While calls are under way, it beats every <see cref="GlueLimits.TickInterval"/>
/// to find passed deadlines; otherwise it beats with the heartbeat only. State changes are single writes or
/// atomic.</summary>
internal sealed class LinkClock : IAsyncDisposable
{
    private readonly IBeating _target;
    private readonly TimeProvider _time;
    private readonly TimeSpan _slowInterval;
    private readonly ITimer _timer;
    private int _isFast;
    private int _isBeating;

    public LinkClock(IBeating target, TimeProvider time, TimeSpan slowInterval)
    {
        _target = target;
        _time = time;
        _slowInterval = slowInterval;
        _timer = Detached.Run(this, static clock => clock._time.CreateTimer(
            static state => ((LinkClock)state!).Beat(), clock, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan));
    }

    public void Start() => _timer.Change(_slowInterval, _slowInterval);

    /// <summary>Makes the clock beat fast, because a call is under way. Cheap if it beats fast already.</summary>
    public void Wake()
    {
        if (Volatile.Read(ref _isFast) == 0 && Interlocked.Exchange(ref _isFast, 1) == 0)
            _timer.Change(GlueLimits.TickInterval, GlueLimits.TickInterval);
    }

    public ValueTask DisposeAsync() => _timer.DisposeAsync();

    private void Beat()
    {
        // Skip this beat if the last one is still running.
        if (Interlocked.Exchange(ref _isBeating, 1) == 1)
            return;
        try
        {
            _target.Beat(_time.GetTimestamp());
            SlowDownIfIdle();
        }
        finally
        {
            Volatile.Write(ref _isBeating, 0);
        }
    }

    private void SlowDownIfIdle()
    {
        if (_isFast == 0 || _target.IsBusy)
            return;
        Volatile.Write(ref _isFast, 0);
        _timer.Change(_slowInterval, _slowInterval);
        // A call that began just before saw the fast beat and did not wake the clock.
        if (_target.IsBusy)
            Wake();
    }
}
