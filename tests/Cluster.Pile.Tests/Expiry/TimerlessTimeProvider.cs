using Cluster.Testing;

namespace Cluster.Pile.Tests.Expiry;

/// <summary>The time of another clock, but no timer ever comes due: what a pile does by itself stays undone.</summary>
internal sealed class TimerlessTimeProvider(TimeProvider time) : TimeProvider
{
    private readonly ManualTimeProvider _standsStill = new();

    public override long TimestampFrequency => time.TimestampFrequency;

    public override long GetTimestamp() => time.GetTimestamp();

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        _standsStill.CreateTimer(callback, state, dueTime, period);
}
