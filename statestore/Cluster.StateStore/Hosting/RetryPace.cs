namespace Cluster.StateStore.Hosting;

/// <summary>The waits of one operation: each longer than the last, until the deadline. Mutable; used by one
/// caller.</summary>
internal struct RetryPace(RetryPacer pacer, long started)
{
    private int _failures;

    /// <summary>The time that another attempt may take: what is left, or a moment where nothing is.</summary>
    public readonly TimeSpan Left => pacer.LeftSince(started);

    /// <summary>Waits before the next attempt; false when the deadline has passed and there is to be none.</summary>
    public ValueTask<bool> WaitAsync(long tableVersion, CancellationToken cancellationToken) =>
        pacer.WaitAsync(started, _failures++, tableVersion, cancellationToken);
}
