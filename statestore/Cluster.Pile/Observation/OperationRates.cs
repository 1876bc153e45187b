namespace Cluster.Pile.Observation;

/// <summary>Turns totals into operations per second, by comparison with totals from at least a second ago. Owned by one
/// pile; guarded by its lock.</summary>
internal sealed class OperationRates
{
    private static readonly TimeSpan WindowMin = TimeSpan.FromSeconds(1);

    private readonly TimeProvider _clock;
    private readonly Lock _gate = new();
    private Look _older;
    private Look _newer;

    public OperationRates(TimeProvider clock)
    {
        _clock = clock;
        _older = _newer = new Look(clock.GetTimestamp(), new PileStatistics());
    }

    /// <summary>Adds the rates. The totals are compared with those of an earlier call, at first with the start. A call
    /// becomes the base of later comparisons when the next call comes a second or more after it.</summary>
    public PileStatistics AddTo(PileStatistics totals)
    {
        var look = new Look(_clock.GetTimestamp(), totals);
        lock (_gate)
        {
            if (_clock.GetElapsedTime(_newer.Timestamp, look.Timestamp) >= WindowMin)
                (_older, _newer) = (_newer, look);
            var seconds = _clock.GetElapsedTime(_older.Timestamp, look.Timestamp).TotalSeconds;
            if (seconds <= 0)
                return totals;
            var before = _older.Totals;
            return totals with
            {
                PutsPerSecond = (totals.Puts - before.Puts) / seconds,
                GetsPerSecond = (totals.Gets - before.Gets) / seconds,
                DeletesPerSecond = (totals.Deletes - before.Deletes) / seconds,
            };
        }
    }

    /// <summary>The totals as they were at one moment.</summary>
    private readonly record struct Look(long Timestamp, PileStatistics Totals);
}
