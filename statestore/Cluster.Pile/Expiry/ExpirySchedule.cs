using Cluster.Pile.Slots;

namespace Cluster.Pile.Expiry;

/// <summary>Chooses when expired objects are removed: by the timer of the pile, at the earliest deadline, and before
/// the pile reports that it is full. Owned by one pile; the lock of its timed sweep admits one sweep at a
/// time.</summary>
/// <remarks>The timer begins a pass over the pile at the earliest deadline, but at least one second after that deadline
/// was noted. A pass is done in portions with a rest after each. So memory is freed at most two seconds after the
/// deadline plus the time of one pass.</remarks>
internal sealed class ExpirySchedule
{
    /// <summary>How many blocks are swept before a rest: 16 MiB of objects.</summary>
    public const int BlocksPerPortion = 256;

    private static readonly TimeSpan Rest = TimeSpan.FromMilliseconds(10);

    private readonly ExpirySweeper _sweeper;
    private readonly DeadlineBook _deadlines;
    private readonly ThreadCacheRegistry _registry;
    private readonly SlotAllocator _allocator;
    private readonly TimedSweep _timed;

    public ExpirySchedule(
        ExpirySweeper sweeper,
        DeadlineBook deadlines,
        ThreadCacheRegistry registry,
        SlotAllocator allocator,
        SweepTimer timer)
    {
        _sweeper = sweeper;
        _deadlines = deadlines;
        _registry = registry;
        _allocator = allocator;
        _timed = new TimedSweep(timer, deadlines.Clock.Steps, SweepPortion);
    }

    public DeadlineClock Clock => _deadlines.Clock;

    /// <summary>Sets the timer when an object expires before the timer is due. Called after an object got a
    /// deadline.</summary>
    public void Check()
    {
        var earliest = _deadlines.Earliest;
        if (earliest != 0)
            _timed.RunAt(earliest, Clock.Now);
    }

    /// <summary>Removes all expired objects on the calling thread. Not called inside an operation.</summary>
    public void SweepAll()
    {
        lock (_timed.Running)
        {
            if (_sweeper.IsUnderWay)
                SweepToEnd(long.MaxValue);
            if (_deadlines.Clock.IsPast(_deadlines.Earliest))
                SweepToEnd(long.MaxValue);
        }

        Check();
    }

    private void SweepPortion()
    {
        if (!SweepToEnd(BlocksPerPortion))
        {
            _timed.RunIn(Rest);
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
        using var operation = _registry.Begin();
        return _sweeper.Step(operation.Cache);
    }
}
