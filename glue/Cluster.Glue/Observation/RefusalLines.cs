namespace Cluster.Glue.Observation;

/// <summary>Bounds the log lines that strangers can cause: the first refusal is logged at once; those of the next
/// interval are counted, and one line at its end gives their number and the last one. A private lock protects the
/// count; lines are written outside of it.</summary>
/// <param name="time">The clock of the intervals.</param>
/// <param name="tellOne">Logs a refusal: who was refused, and why.</param>
/// <param name="tellMany">Logs a number of refusals, with the last one.</param>
internal sealed class RefusalLines(
    TimeProvider time, Action<string, string> tellOne, Action<long, string, string> tellMany) : IDisposable
{
    public static readonly TimeSpan Interval = TimeSpan.FromSeconds(10);

    private readonly Lock _lock = new();
    private ITimer? _timer;
    private long _count;
    private (string Who, string Reason) _last;
    private bool _isDisposed;

    public void Add(string who, string reason)
    {
        lock (_lock)
        {
            if (_timer is not null || _isDisposed)
            {
                _count++;
                _last = (who, reason);
                return;
            }

            _timer = time.CreateTimer(
                static lines => ((RefusalLines)lines!).EndInterval(), this, Interval, Timeout.InfiniteTimeSpan);
        }

        tellOne(who, reason);
    }

    /// <summary>Logs the refusals that were only counted so far. Later refusals are not logged.</summary>
    public void Dispose()
    {
        lock (_lock)
        {
            _timer?.Dispose();
            _timer = null;
            _isDisposed = true;
        }

        Tell();
    }

    private void EndInterval()
    {
        lock (_lock)
        {
            if (_isDisposed)
                return;
            if (_count > 0)
            {
                _timer!.Change(Interval, Timeout.InfiniteTimeSpan);
            }
            else
            {
                _timer!.Dispose();
                _timer = null;
            }
        }

        Tell();
    }

    private void Tell()
    {
        long count;
        (string Who, string Reason) last;
        lock (_lock)
        {
            (count, _count) = (_count, 0);
            last = _last;
        }

        if (count > 0)
            tellMany(count, last.Who, last.Reason);
    }
}
