namespace Cluster.Pile.Records;

/// <summary>When the segments of all tables of a pile are swept: by a timer when records end or a log has become
/// sparse, before the pile says that it is full, and when it is compacted. Owned by one pile. One lock guards the list
/// and the timer, another admits one timed sweep at a time. Never called inside an operation, but for
/// <see cref="Watch"/>, <see cref="MergeSoon"/> and <see cref="MergeWhenQuiet"/>, which only set the timer.</summary>
/// <remarks>Records are reclaimed with their segment, when the window of its deadlines is over: at most a quarter of
/// their life, or 0.8 s, after they ended, and not more often than once a second.</remarks>
internal sealed class RecordUpkeep : IDisposable
{
    private const ulong NoStep = ulong.MaxValue;
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan TimerMax = TimeSpan.FromDays(30);

    private readonly RecordClock _clock;
    private readonly Lock _gate = new();
    private readonly Lock _sweeping = new();
    private readonly ITimer _timer;
    private UpkeptTable[] _tables = [];
    private ulong _next = NoStep;
    private long _firesAt = long.MaxValue;
    private bool _isMergeDue;
    private bool _isLookDue;
    private bool _isStopped;

    public RecordUpkeep(RecordClock clock)
    {
        _clock = clock;
        _timer = clock.Time.CreateTimer(_ => OnTimer(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public void Add(RecordSweeper sweeper, RecordLog log)
    {
        lock (_gate)
            Volatile.Write(ref _tables, [.. _tables, new UpkeptTable(sweeper, log)]);
    }

    /// <summary>Sets the timer for the step at which a window of deadlines is over.</summary>
    public void Watch(uint step)
    {
        if (!IsEarlier(step))
            return;
        lock (_gate)
        {
            if (_isStopped || !IsEarlier(step))
                return;
            Volatile.Write(ref _next, step);
            var left = new TimeSpan(Math.Max(0, RecordClock.StepsUntil(step, _clock.Now)) * RecordClock.StepTicks);
            SetNeedsLock(left > Pause ? left : Pause);
        }
    }

    /// <summary>Lets the timer thread move the records of sparse logs together.</summary>
    public void MergeSoon()
    {
        if (Volatile.Read(ref _isMergeDue))
            return;
        lock (_gate)
        {
            if (_isStopped || _isMergeDue)
                return;
            Volatile.Write(ref _isMergeDue, true);
            SetNeedsLock(TimeSpan.Zero);
        }
    }

    /// <summary>Lets the timer thread do so with logs that are somewhat sparse, once nothing changes there.</summary>
    public void MergeWhenQuiet()
    {
        if (Volatile.Read(ref _isLookDue))
            return;
        Volatile.Write(ref _isLookDue, true);
        Watch(_clock.Now);
    }

    /// <summary>Removes everything that has ended and whose window is over.</summary>
    public void Expire()
    {
        var now = _clock.Now;
        foreach (var table in Volatile.Read(ref _tables))
        {
            if (table.Sweeper.Expire(now) is { } next)
                Watch(next);
        }
    }

    /// <summary>Removes what has ended, and moves records together as far as there is room.</summary>
    public void Compact()
    {
        Expire();
        foreach (var table in Volatile.Read(ref _tables))
            table.Sweeper.Merge();
    }

    /// <summary>Evicts one segment of the tables that may forget, of the lowest priority, from the largest; false when
    /// there is none.</summary>
    public bool TryGiveUp()
    {
        var victims = Volatile.Read(ref _tables).Where(table => table.Sweeper.MayGiveUp)
            .OrderBy(table => table.Sweeper.PriorityLowest).ThenByDescending(table => table.Log.Blocks);
        foreach (var table in victims)
        {
            if (table.Sweeper.TryEvict(table.Sweeper.Evictions, byte.MaxValue, out _))
                return true;
        }

        return false;
    }

    /// <summary>Sets no timer any more. A sweep that runs ends with its next step, when the pile is closed.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _isStopped = true;
            _timer.Dispose();
        }
    }

    private bool IsEarlier(uint step) =>
        Volatile.Read(ref _next) is var next
            && (next == NoStep || RecordClock.StepsUntil(step, (uint)next) < 0);

    // What is due earlier stays so; it sees to everything.
    private void SetNeedsLock(TimeSpan left)
    {
        // A timer of the base library refuses more than 49 days; it looks again when it fires too early.
        left = left < TimerMax ? left : TimerMax;
        var firesAt = _clock.Ticks + left.Ticks;
        if (_isStopped || firesAt >= _firesAt)
            return;
        _firesAt = firesAt;
        _timer.Change(left, Timeout.InfiniteTimeSpan);
    }

    private void OnTimer()
    {
        lock (_gate)
            _firesAt = long.MaxValue;
        if (!_sweeping.TryEnter())
        {
            // The sweep that runs may have passed what this one is for.
            lock (_gate)
                SetNeedsLock(Pause);
            return;
        }

        try
        {
            lock (_gate)
                Volatile.Write(ref _next, NoStep);
            Expire();
            if (Volatile.Read(ref _isMergeDue))
                Merge();
            if (Volatile.Read(ref _isLookDue))
                MergeQuiet();
        }
        catch (ObjectDisposedException)
        {
            // The pile was closed meanwhile.
        }
        finally
        {
            _sweeping.Exit();
        }
    }

    // While a table changes all the time, its records die anyway, and would be moved in vain.
    private void MergeQuiet()
    {
        Volatile.Write(ref _isLookDue, false);
        foreach (var table in Volatile.Read(ref _tables))
        {
            var dead = table.Log.DeadBytes;
            if (table.Log.IsLoose && dead == table.DeadBytesSeen)
                table.Sweeper.Merge();
            else if (table.Log.IsLoose)
                MergeWhenQuiet();
            table.DeadBytesSeen = dead;
        }
    }

    // What is still sparse had no room to move to; it is tried again when the next change asks, but not at once.
    private void Merge()
    {
        var isSparse = false;
        foreach (var table in Volatile.Read(ref _tables))
        {
            if (!table.Log.IsSparse)
                continue;
            table.Sweeper.Merge();
            isSparse |= table.Log.IsSparse;
        }

        if (!isSparse)
            Volatile.Write(ref _isMergeDue, false);
        else
            Watch(_clock.Now);
    }
}
