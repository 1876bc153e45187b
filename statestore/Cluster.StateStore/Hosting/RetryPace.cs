namespace Cluster.StateStore.Hosting;

/// <summary>The waits of one operation: each is longer than the one before, until the deadline. Mutable; used by one
/// caller.</summary>
internal struct RetryPace
{
    private readonly RetryPacer _pacer;
    private readonly long _started;
    private long _attemptStarted;
    private int _failures;

    public RetryPace(RetryPacer pacer)
    {
        _pacer = pacer;
        _started = _attemptStarted = pacer.Now;
    }

    /// <summary>The time that the next attempt may take: what is left of the deadline, and never less than the longest
    /// wait.</summary>
    public readonly TimeSpan Left => _pacer.LeftSince(_started);

    /// <summary>Starts the clock of the next attempt.</summary>
    public void BeginAttempt() => _attemptStarted = _pacer.Now;

    /// <summary>Whether the attempt has taken a time, give or take a tenth: the transport has a clock of its
    /// own.</summary>
    /// <param name="time">The time.</param>
    public readonly bool HasAttemptTaken(TimeSpan time) => _pacer.Since(_attemptStarted) > 0.9 * time;

    /// <summary>Waits before the next attempt. False: the deadline has passed, and there is no next attempt.</summary>
    public ValueTask<bool> WaitAsync(long tableVersion, CancellationToken cancellationToken) =>
        _pacer.WaitAsync(_started, _failures++, tableVersion, cancellationToken);
}
