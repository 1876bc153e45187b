namespace Cluster.StateStore.Hosting;

/// <summary>The waits of one operation: each is longer than the one before, until the deadline. Mutable; used by one
/// caller.</summary>
internal struct RetryPace(RetryPacer pacer, long started)
{
    private int _failures;

    /// <summary>The time that the next attempt may take: what is left of the deadline, and never less than the longest
    /// wait.</summary>
    public readonly TimeSpan Left => pacer.LeftSince(started);

    /// <summary>Waits before the next attempt. False: the deadline has passed, and there is no next attempt.</summary>
    public ValueTask<bool> WaitAsync(long tableVersion, CancellationToken cancellationToken) =>
        pacer.WaitAsync(started, _failures++, tableVersion, cancellationToken);
}
