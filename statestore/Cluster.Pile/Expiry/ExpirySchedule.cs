using Cluster.Pile.Slots;

namespace Cluster.Pile.Expiry;

/// <summary>Chooses when expired objects are removed: by a timer that is set only while an object has a deadline, and
/// before the pile reports that it is full. Owned by one pile. One lock admits one sweep at a time, another guards the
/// timer.</summary>
/// <remarks>The timer begins a pass over the pile at the earliest deadline, but at least one second after that deadline
/// was noted. A pass is done in portions with a rest after each. So memory is freed at most two seconds after the
/// deadline plus the time of one pass.</remarks>
internal sealed class ExpirySchedule : IDisposable
{
    /// <summary>How many blocks are swept before a rest: 16 MiB of objects.</summary>
    public const int BlocksPerPortion = 256;

    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Rest = TimeSpan.FromMilliseconds(10);

    private readonly ExpirySweeper _sweeper;
    private readonly DeadlineBook _deadlines;
    private readonly ThreadCacheRegistry _registry;
    private readonly SlotAllocator _allocator;
    private readonly TimeProvider _time;
    private readonly Lock _sweeping = new();
    private readonly Lock _gate = new();
    private readonly ITimer _timer;
    private long _due = long.MaxValue;
    private bool _stopped;

    public ExpirySchedule(
        ExpirySweeper sweeper,
        DeadlineBook deadlines,
        ThreadCacheRegistry registry,
        SlotAllocator allocator,
        TimeProvider time)
    {
        _sweeper = sweeper;
        _deadlines = deadlines;
        _registry = registry;
        _allocator = allocator;
        _time = time;
        _timer = time.CreateTimer(_ => OnTimer(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public DeadlineClock Clock => _deadlines.Clock;

    /// <summary>Sets the timer when an object expires before the timer is due. Called after an object got a
    /// deadline.</summary>
    public void Check()
    {
        var earliest = _deadlines.Earliest;
        if (earliest == 0)
            return;
        var steps = DeadlineClock.StepsUntil(earliest, _deadlines.Clock.Now);
        var left = new TimeSpan(steps * DeadlineClock.StepTicks);
        SetTimer(left > Pause ? left : Pause);
    }

    /// <summary>Removes all expired objects on the calling thread. Not called inside an operation.</summary>
    public void SweepAll()
    {
        lock (_sweeping)
        {
            if (_sweeper.IsUnderWay)
                SweepToEnd(long.MaxValue);
            if (_deadlines.Clock.IsPast(_deadlines.Earliest))
                SweepToEnd(long.MaxValue);
        }

        Check();
    }

    /// <summary>Stops the timer. A running sweep ends with its next step, when the pile is closed.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _stopped = true;
            _timer.Dispose();
        }
    }

    private void OnTimer()
    {
        lock (_gate)
            _due = long.MaxValue;

        // The running sweep sets the timer when it ends.
        if (!_sweeping.TryEnter())
            return;
        try
        {
            SweepPortion();
        }
        catch (ObjectDisposedException)
        {
            // The pile was closed during the sweep.
        }
        finally
        {
            _sweeping.Exit();
        }
    }

    private void SweepPortion()
    {
        if (!SweepToEnd(BlocksPerPortion))
        {
            SetTimer(Rest);
            return;
        }

        _allocator.Reclaim();
        Check();
    }

    // True: the pass has ended.
    private bool SweepToEnd(long blocksMax)
    {
        for (long i = 0; i < blocksMax; i++)
        {
            if (!Step())
                return true;
        }

        return false;
    }

    private bool Step()
    {
        var cache = _registry.Enter();
        try
        {
            return _sweeper.Step(cache);
        }
        finally
        {
            cache.Exit();
        }
    }

    private void SetTimer(TimeSpan delay)
    {
        var due = _time.GetTimestamp() + (long)(delay.TotalSeconds * _time.TimestampFrequency);
        if (due >= Volatile.Read(ref _due))
            return;
        lock (_gate)
        {
            if (_stopped || due >= _due)
                return;
            _due = due;
            _timer.Change(delay, Timeout.InfiniteTimeSpan);
        }
    }
}
