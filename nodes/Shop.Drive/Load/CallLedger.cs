namespace Shop.Drive.Load;

/// <summary>Counts the calls of all callers. Each count is atomic, and a private lock protects the texts of errors. Any
/// thread may count or read.</summary>
internal sealed class CallLedger
{
    public const int FailureTextsMax = 5;

    private readonly LatencyHistogram _latency = new();
    private readonly Lock _lock = new();
    private readonly List<string> _failures = [];
    private long _calls;
    private long _remoteCalls;
    private long _errors;
    private long _unavailable;

    /// <summary>The first few errors, as text.</summary>
    public IReadOnlyList<string> Failures
    {
        get
        {
            lock (_lock)
                return [.. _failures];
        }
    }

    public void CountAnswered(TimeSpan duration, bool isRemote)
    {
        _latency.Record(duration);
        Interlocked.Increment(ref _calls);
        if (isRemote)
            Interlocked.Increment(ref _remoteCalls);
    }

    public void CountUnavailable() => Interlocked.Increment(ref _unavailable);

    public void CountError(string call, Exception failure)
    {
        Interlocked.Increment(ref _errors);
        lock (_lock)
        {
            if (_failures.Count < FailureTextsMax)
                _failures.Add($"{call}: {failure.GetType().Name}: {failure.Message}");
        }
    }

    public LoadFigures TakeSnapshot() => new(
        Volatile.Read(ref _calls),
        Volatile.Read(ref _remoteCalls),
        Volatile.Read(ref _errors),
        Volatile.Read(ref _unavailable),
        _latency.TakeSnapshot());
}
