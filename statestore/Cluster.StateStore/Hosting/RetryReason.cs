namespace Cluster.StateStore.Hosting;

/// <summary>Why an attempt has not executed the operation. Immutable.</summary>
/// <param name="Reason">In words that complete "the partition is unavailable: …".</param>
internal sealed record RetryReason(string Reason)
{
    /// <summary>Whether a newer route is known already, so that there is nothing to wait for.</summary>
    public bool IsRedirect { get; init; }

    /// <summary>Whether the caller's time is up, so that another attempt would be pointless.</summary>
    public bool IsFinal { get; init; }

    /// <summary>The error behind it, where there is one.</summary>
    public Exception? Cause { get; init; }
}
