namespace Cluster.Nodes.Stores.Files;

/// <summary>How long a file store waits for locks that other processes hold. Immutable.</summary>
internal sealed record FileStoreWaitBudget
{
    /// <summary>How long a change waits for the lock of the table.</summary>
    public TimeSpan TableLock { get; init; } = FileStoreLimits.TableLockDeadline;

    /// <summary>How long an incarnation waits for its own lock, which a process that looks for a proof may hold for a
    /// moment.</summary>
    public TimeSpan NodeLock { get; init; } = FileStoreLimits.LifeLockDeadline;
}
