namespace Cluster.Nodes.Clocks;

/// <summary>One timer of a <see cref="TimerThread"/>, whose lock protects the mutable properties.</summary>
/// <param name="thread">Where it fires.</param>
/// <param name="callback">What it calls.</param>
/// <param name="state">What the callback gets.</param>
internal sealed class ThreadTimer(TimerThread thread, TimerCallback callback, object? state) : ITimer
{
    // The longest time that timers of the system take.
    private static readonly TimeSpan Longest = TimeSpan.FromMilliseconds(0xFFFFFFFE);

    private readonly ExecutionContext? _context = ExecutionContext.Capture();

    /// <summary>The time between two callbacks; zero: there is only one.</summary>
    public TimeSpan Period { get; set; }

    public bool IsDisposed { get; set; }

    /// <summary>Completed when the callback that runs has returned; null: nobody waits for that.</summary>
    public TaskCompletionSource? Ended { get; set; }

    public bool Change(TimeSpan dueTime, TimeSpan period)
    {
        Check(dueTime, nameof(dueTime));
        Check(period, nameof(period));
        return thread.Arm(this, dueTime, period);
    }

    public void Dispose() => thread.DisarmAsync(this);

    /// <summary>Ends the timer, and waits for the callback if it runs.</summary>
    public ValueTask DisposeAsync() => new(thread.DisarmAsync(this));

    /// <summary>Calls the callback, in the context in which the timer was made.</summary>
    public void Fire()
    {
        if (_context is null)
            callback(state);
        else
            ExecutionContext.Run(_context, static timer => ((ThreadTimer)timer!).Call(), this);
    }

    private static void Check(TimeSpan time, string name)
    {
        if (time == Timeout.InfiniteTimeSpan)
            return;
        ArgumentOutOfRangeException.ThrowIfLessThan(time, TimeSpan.Zero, name);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(time, Longest, name);
    }

    private void Call() => callback(state);
}
