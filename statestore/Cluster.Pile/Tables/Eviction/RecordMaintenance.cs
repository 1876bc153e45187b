using Cluster.Pile.Expiry;
using Cluster.Pile.Tables.Log;

namespace Cluster.Pile.Tables.Eviction;

/// <summary>The maintenance of all tables of a pile: decides when their segments are swept. The timer of the pile
/// sweeps when records expire or a log has become sparse; the pile asks for a sweep before it reports that it is full,
/// and when it is compacted. Owned by one pile; one timed sweep runs at a time. Never called inside an operation,
/// except for <see cref="Watch"/>, <see cref="MergeSoon"/> and <see cref="MergeWhenQuiet"/>, which only set the
/// timer.</summary>
/// <remarks>Expired records are reclaimed when the window of their segment's deadlines is over: at most a quarter of
/// their life, or 0.8 s, after they expired, and not more often than once a second.</remarks>
internal sealed class RecordMaintenance
{
    private readonly TimedSweep _timed;
    private MaintainedTable[] _tables = [];
    private bool _isMergeDue;
    private bool _isLookDue;

    public RecordMaintenance(DeadlineClock clock, SweepTimer timer)
    {
        Clock = clock;
        _timed = new TimedSweep(timer, clock.Steps, Sweep);
    }

    public DeadlineClock Clock { get; }

    /// <summary>Adds a table. Called under the lock of the tables.</summary>
    public void Add(RecordSweeper sweeper, RecordLog log) =>
        Volatile.Write(ref _tables, [.. _tables, new MaintainedTable(sweeper, log)]);

    /// <summary>Sets the timer for the step at which a window of deadlines is over.</summary>
    public void Watch(uint step, uint now) => _timed.RunAt(step, now);

    /// <summary>Asks the timer thread to move the records of sparse logs together.</summary>
    public void MergeSoon()
    {
        if (!Volatile.Read(ref _isMergeDue) && !Interlocked.Exchange(ref _isMergeDue, true))
            _timed.RunIn(TimeSpan.Zero);
    }

    /// <summary>Asks the timer thread to do the same with logs that are somewhat sparse, as soon as they no longer
    /// change.</summary>
    public void MergeWhenQuiet()
    {
        if (Volatile.Read(ref _isLookDue))
            return;
        Volatile.Write(ref _isLookDue, true);
        SweepAgain();
    }

    /// <summary>Removes the expired records of all segments whose window is over.</summary>
    public void Expire()
    {
        var now = Clock.Now;
        foreach (var table in Volatile.Read(ref _tables))
        {
            if (table.Sweeper.Expire(now) is { } next)
                Watch(next, Clock.Now);
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

    private void Sweep()
    {
        Expire();
        if (Interlocked.Exchange(ref _isMergeDue, false))
            Merge();
        if (Volatile.Read(ref _isLookDue))
            MergeQuiet();
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
            return;
        Volatile.Write(ref _isMergeDue, true);
        SweepAgain();
    }

    private void SweepAgain()
    {
        var now = Clock.Now;
        Watch(now, now);
    }
}
