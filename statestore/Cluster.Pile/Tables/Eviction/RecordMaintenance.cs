using Cluster.Pile.Tables.Log;

namespace Cluster.Pile.Tables.Eviction;

/// <summary>The maintenance of all tables of a pile: decides when their segments are swept. A timer sweeps when records
/// expire or a log has become sparse; the pile asks for a sweep before it reports that it is full, and when it is
/// compacted. Owned by one pile. One lock guards the list and the timer, another lets one timed sweep run at a time.
/// Never called inside an operation, except for <see cref="Watch"/>, <see cref="MergeSoon"/> and
/// <see cref="MergeWhenQuiet"/>, which only set the timer.</summary>
/// <remarks>Expired records are reclaimed when the window of their segment's deadlines is over: at most a quarter of
/// their life, or 0.8 s, after they expired, and not more often than once a second.</remarks>
internal sealed class RecordMaintenance : IDisposable
{
    private const ulong NoStep = ulong.MaxValue;
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan TimerMax = TimeSpan.FromDays(30);

    private readonly RecordClock _clock;
    private readonly Lock _gate = new();
    private readonly Lock _sweeping = new();
    private readonly ITimer _timer;
    private MaintainedTable[] _tables = [];
    private ulong _next = NoStep;
    private long _firesAt = long.MaxValue;
    private bool _isMergeDue;
    private bool _isLookDue;
    private bool _isStopped;

    public RecordMaintenance(RecordClock clock)
    {
        _clock = clock;
        _timer = clock.Time.CreateTimer(_ => OnTimer(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public void Add(RecordSweeper sweeper, RecordLog log)
    {
        lock (_gate)
            Volatile.Write(ref _tables, [.. _tables, new MaintainedTable(sweeper, log)]);
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

    /// <summary>Asks the timer thread to move the records of sparse logs together.</summary>
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

    /// <summary>Asks the timer thread to do the same with logs that are somewhat sparse, as soon as they no longer
    /// change.</summary>
    public void MergeWhenQuiet()
    {
        if (Volatile.Read(ref _isLookDue))
            return;
        Volatile.Write(ref _isLookDue, true);
        Watch(_clock.Now);
    }

    /// <summary>Removes the expired records of all segments whose window is over.</summary>
    public void Expire()
    {
        var now = _clock.Now;
        foreach (var table in Volatile.Read(ref _tables))
        {
            if (table.Sweeper.Expire(now) is { } next)
                Watch(next);
        }
    }

    /// <summary>Removes expired records, and moves records together while there is room.</summary>
    public void Compact()
    {
        Expire();
        foreach (var table in Volatile.Read(ref _tables))
            table.Sweeper.Merge(isQuiet: true);
    }

    /// <summary>Evicts one segment from an evicting table: from the one with the lowest priority, and of several from
    /// the largest. False: no table can evict a segment.</summary>
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

    /// <summary>Stops the timer. When the pile is closed, a running sweep ends at its next step.</summary>
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

    // An earlier time stays set: the sweep at that time sets the timer again for what is due later.
    private void SetNeedsLock(TimeSpan left)
    {
        // Timers of the base library refuse more than 49 days; the sweep that comes too early sets the timer again.
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
            // The running sweep may have passed the table that this sweep is for.
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
            // The pile was closed during the sweep.
        }
        finally
        {
            _sweeping.Exit();
        }
    }

    // While a table changes all the time, its records die soon anyway, and moving them would be wasted work.
    private void MergeQuiet()
    {
        Volatile.Write(ref _isLookDue, false);
        foreach (var table in Volatile.Read(ref _tables))
        {
            var dead = table.Log.DeadBytes;
            if (table.Log.IsLoose && dead == table.DeadBytesSeen)
                table.Sweeper.Merge(isQuiet: true);
            else if (table.Log.IsLoose)
                MergeWhenQuiet();
            table.DeadBytesSeen = dead;
        }
    }

    // A log that is still sparse had no room to move records to. It is tried again after a pause.
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
