namespace Cluster.Pile.Caching.Flights;

/// <summary>One load of one key that several callers wait for; one of them, the leader, runs it. Ends exactly once.
/// Safe for many threads: its lock protects the outcome and the list of blocked threads.</summary>
internal sealed class Flight<TValue>(byte[] key)
{
    private readonly TaskCompletionSource<FlightOutcome<TValue>> _landing =
        new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Lock _gate = new();
    private readonly List<ManualResetEventSlim> _blocked = [];
    private FlightOutcome<TValue>? _outcome;

    public byte[] Key { get; } = key;

    public FlightGuard Guard { get; } = new();

    public FlightPlace Place { get; } = new();

    /// <summary>The result of the load; the task never fails.</summary>
    public Task<FlightOutcome<TValue>> Landing => _landing.Task;

    /// <summary>Gives the result to all waiting callers.</summary>
    public void Land(FlightOutcome<TValue> outcome)
    {
        Place.End();
        lock (_gate)
        {
            _outcome = outcome;
            _blocked.ForEach(landed => landed.Set());
        }

        _landing.SetResult(outcome);
    }

    /// <summary>Blocks the calling thread until the load has ended; needs no pool thread for that.</summary>
    public FlightOutcome<TValue> WaitForLanding()
    {
        using var landed = new ManualResetEventSlim();
        lock (_gate)
        {
            if (_outcome is not null)
                return _outcome;
            _blocked.Add(landed);
        }

        landed.Wait();
        lock (_gate)
        {
            // The landing thread no longer uses the event here, so it may be disposed of.
            return _outcome!;
        }
    }
}
