namespace Cluster.Testing;

/// <summary>The clock of one machine: it runs as fast as the others but shows another time.</summary>
/// <param name="inner">The clock that all machines share.</param>
public sealed class ShiftedTimeProvider(TimeProvider inner) : TimeProvider
{
    /// <summary>The time by which the clock is ahead.</summary>
    public TimeSpan Shift { get; set; }

    /// <inheritdoc />
    public override long TimestampFrequency => inner.TimestampFrequency;

    /// <inheritdoc />
    public override DateTimeOffset GetUtcNow() => inner.GetUtcNow() + Shift;

    /// <inheritdoc />
    public override long GetTimestamp() => inner.GetTimestamp();

    /// <inheritdoc />
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        inner.CreateTimer(callback, state, dueTime, period);
}
