namespace Shop.Drive.Load;

/// <summary>The counts of the load at one moment. Frozen.</summary>
/// <param name="Calls">Correctly answered calls.</param>
/// <param name="RemoteCalls">The part of <paramref name="Calls"/> that another process answered.</param>
/// <param name="Errors">Calls that failed or got a wrong answer although their owner was alive.</param>
/// <param name="Unavailable">Calls whose owner was gone or had just died.</param>
/// <param name="Latency">The durations of the answered calls.</param>
internal sealed record LoadFigures(
    long Calls, long RemoteCalls, long Errors, long Unavailable, LatencySnapshot Latency)
{
    public static LoadFigures Zero { get; } = new(0, 0, 0, 0, LatencySnapshot.Empty);

    /// <summary>The counts since an earlier moment.</summary>
    public LoadFigures Since(LoadFigures earlier) => new(
        Calls - earlier.Calls,
        RemoteCalls - earlier.RemoteCalls,
        Errors - earlier.Errors,
        Unavailable - earlier.Unavailable,
        Latency.Since(earlier.Latency));
}
