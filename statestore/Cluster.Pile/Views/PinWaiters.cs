namespace Cluster.Pile.Views;

/// <summary>The threads that wait until views are closed. A lock guards the list.</summary>
internal sealed class PinWaiters
{
    private readonly Lock _gate = new();
    private readonly List<ManualResetEventSlim> _signals = [];
    private int _count;

    /// <summary>Lets all waiters look again. Called after a pin was released, with a full fence in between; cheap
    /// without waiters.</summary>
    public void Wake()
    {
        if (Volatile.Read(ref _count) == 0)
            return;
        lock (_gate)
            _signals.ForEach(signal => signal.Set());
    }

    /// <summary>Waits until the condition no longer holds or the time is over; not called inside an
    /// operation.</summary>
    /// <remarks>A timer lets any clock end the wait. The wait itself has the same bound, because the system's timers
    /// need a pool thread, and there may be none when many of them wait here.</remarks>
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

                // Reset before the next look, so that a later signal is not lost.
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

            // A full fence: either the waiter sees that the pin is gone, or the releasing thread sees the waiter.
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
