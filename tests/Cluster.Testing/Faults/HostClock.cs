namespace Cluster.Testing.Faults;

/// <summary>The clock of a node process in a test: it runs faster or slower than true time, and its wall clock jumps
/// when the test says so. The jump is atomic; everything else is fixed.</summary>
/// <param name="ratePercent">How fast it runs; 100 is the true rate.</param>
public sealed class HostClock(int ratePercent) : TimeProvider
{
    private readonly long _startedAt = System.GetTimestamp();
    private readonly DateTimeOffset _startedUtc = System.GetUtcNow();
    private long _shiftTicks;

    /// <summary>By how much the wall clock is ahead.</summary>
    public TimeSpan Shift
    {
        get => new(Volatile.Read(ref _shiftTicks));
        set => Volatile.Write(ref _shiftTicks, value.Ticks);
    }

    /// <inheritdoc />
    public override DateTimeOffset GetUtcNow() =>
        _startedUtc + (System.GetElapsedTime(_startedAt) * ratePercent / 100) + Shift;

    /// <inheritdoc />
    public override long GetTimestamp() =>
        _startedAt + ((System.GetTimestamp() - _startedAt) * ratePercent / 100);

    /// <inheritdoc />
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        new ScaledTimer(System.CreateTimer(callback, state, Scale(dueTime), Scale(period)), this);

    private TimeSpan Scale(TimeSpan time) =>
        time == Timeout.InfiniteTimeSpan ? time : time * 100 / ratePercent;

    /// <summary>A timer of the system that gets its times from this clock. Immutable.</summary>
    private sealed class ScaledTimer(ITimer timer, HostClock clock) : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period) =>
            timer.Change(clock.Scale(dueTime), clock.Scale(period));

        public void Dispose() => timer.Dispose();

        public ValueTask DisposeAsync() => timer.DisposeAsync();
    }
}
