namespace Cluster.Pile.Views;

/// <summary>Those who wait until views are closed. The list is guarded by its lock.</summary>
internal sealed class PinWaiters
{
    private readonly Lock _gate = new();
    private readonly List<ManualResetEventSlim> _signals = [];
    private int _count;

    /// <summary>Lets all who wait look again. Called after a pin was given back, with a full fence in between; cheap
    /// when nobody waits.</summary>
    public void Wake()
    {
        if (Volatile.Read(ref _count) == 0)
            return;
        lock (_gate)
            _signals.ForEach(signal => signal.Set());
    }

    /// <summary>Waits until the condition no longer holds or the time is over; not to be called inside an
    /// operation.</summary>
    /// <remarks>The timer makes any clock end the wait. The wait is bounded by the same time nevertheless, because the
    /// system's timers need a thread of the pool, which may have none left when many of its threads wait
    /// here.</remarks>
    public void WaitWhile(Func<bool> isPinned, TimeSpan time, TimeProvider clock)
    {
        var began = clock.GetTimestamp();
        using var signal = new ManualResetEventSlim();
        using var timer = clock.CreateTimer(_ => signal.Set(), state: null, time, Timeout.InfiniteTimeSpan);
        Add(signal);
        try
        {
            while (isPinned() && clock.GetElapsedTime(began) < time)
            {
                signal.Wait(time);

                // Before the next look: a signal that comes after it is not lost.
                signal.Reset();
            }
        }
        finally
        {
            Remove(signal);
        }
    }

    private void Add(ManualResetEventSlim signal)
    {
        lock (_gate)
        {
            _signals.Add(signal);

            // A full fence, so that either the waiter sees the pin gone or who gives it back sees the waiter.
            Interlocked.Increment(ref _count);
        }
    }

    private void Remove(ManualResetEventSlim signal)
    {
        lock (_gate)
        {
            _signals.Remove(signal);
            Interlocked.Decrement(ref _count);
        }
    }
}
