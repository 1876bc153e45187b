namespace Cluster.Testing;

/// <summary>One timer of a <see cref="ManualTimeProvider"/>, whose lock protects the mutable properties.</summary>
internal sealed class ManualTimer(ManualTimeProvider owner, TimerCallback callback, object? state) : ITimer
{
    private readonly ExecutionContext? _context = ExecutionContext.Capture();

    public TimeSpan Due { get; set; }

    public TimeSpan Period { get; set; }

    public bool IsDisposed { get; set; }

    public bool Change(TimeSpan dueTime, TimeSpan period) => owner.Arm(this, dueTime, period);

    public void Dispose() => owner.Disarm(this);

    public ValueTask DisposeAsync()
    {
        Dispose();
        return ValueTask.CompletedTask;
    }

    public void Fire()
    {
        if (_context is null)
        {
            callback(state);
            return;
        }

        ExecutionContext.Run(_context, static timer => ((ManualTimer)timer!).Call(), this);
    }

    private void Call() => callback(state);
}
