namespace Cluster.StateStore.Tests.Local;

/// <summary>The clock of one machine: it runs like the others and shows another time.</summary>
internal sealed class ShiftedTimeProvider(TimeProvider inner) : TimeProvider
{
    /// <summary>How far the clock is ahead.</summary>
    internal TimeSpan Shift { get; set; }

    public override long TimestampFrequency => inner.TimestampFrequency;

    public override DateTimeOffset GetUtcNow() => inner.GetUtcNow() + Shift;

    public override long GetTimestamp() => inner.GetTimestamp();

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        inner.CreateTimer(callback, state, dueTime, period);
}
