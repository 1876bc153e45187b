namespace Cluster.StateStore.Hosting;

/// <summary>Why an attempt has not ended an operation. Immutable.</summary>
/// <param name="Reason">Words that complete "the partition is unavailable: …".</param>
internal sealed record RetryReason(string Reason)
{
    /// <summary>Whether a newer route is known already: the next attempt follows it at once.</summary>
    public bool IsRedirect { get; init; }

    /// <summary>Whether the caller's time is over, so that another attempt is pointless.</summary>
    public bool IsFinal { get; init; }

    /// <summary>Whether the attempt may have carried the write out. Its repetition has no second effect.</summary>
    public bool IsUnknown { get; init; }

    public Exception? Cause { get; init; }
}
