namespace Shop.Drive.Load;

/// <summary>What the load has counted up to one moment. Frozen.</summary>
/// <param name="Calls">Calls that were answered, rightly.</param>
/// <param name="RemoteCalls">Those of them that another process answered.</param>
/// <param name="Errors">Calls that should have been answered and were not, or wrongly.</param>
/// <param name="Unavailable">Calls whose owner was gone or had just died.</param>
/// <param name="Latency">How long the answered calls took.</param>
internal sealed record LoadFigures(
    long Calls, long RemoteCalls, long Errors, long Unavailable, LatencySnapshot Latency)
{
    public static LoadFigures Zero { get; } = new(0, 0, 0, 0, LatencySnapshot.Empty);

    /// <summary>What was counted since an earlier moment.</summary>
    public LoadFigures Since(LoadFigures earlier) => new(
        Calls - earlier.Calls,
        RemoteCalls - earlier.RemoteCalls,
        Errors - earlier.Errors,
        Unavailable - earlier.Unavailable,
        Latency.Since(earlier.Latency));
}
