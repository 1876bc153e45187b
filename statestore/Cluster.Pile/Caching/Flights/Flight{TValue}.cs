namespace Cluster.Pile.Caching.Flights;

/// <summary>One load of one key that several callers wait for: one of them, the leader, does it. Ends exactly once;
/// safe for many threads: its lock protects the outcome and the list of threads that are blocked until it is
/// there.</summary>
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

    /// <summary>What the load came to; never fails.</summary>
    public Task<FlightOutcome<TValue>> Landing => _landing.Task;

    /// <summary>Tells everybody who waits.</summary>
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

    /// <summary>Keeps the calling thread until the load is over; needs no thread of the pool for it.</summary>
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
            // Who lands has left the event alone when this is reached, so that it may go.
            return _outcome!;
        }
    }
}
