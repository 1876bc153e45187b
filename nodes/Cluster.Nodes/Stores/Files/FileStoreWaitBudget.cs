namespace Cluster.Nodes.Stores.Files;

/// <summary>How long a file store waits for locks that others hold. Immutable.</summary>
internal sealed record FileStoreWaitBudget
{
    /// <summary>How long a change waits for the lock of the table.</summary>
    public TimeSpan TableLock { get; init; } = FileStoreLimits.TableLockDeadline;

    /// <summary>How long a life waits for its own lock, which a prover may hold for a moment.</summary>
    public TimeSpan NodeLock { get; init; } = FileStoreLimits.LifeLockDeadline;
}
