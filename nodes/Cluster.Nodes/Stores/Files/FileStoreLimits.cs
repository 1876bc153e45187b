namespace Cluster.Nodes.Stores.Files;

/// <summary>The bounds of the file store. Constants.</summary>
internal static class FileStoreLimits
{
    /// <summary>How long a change waits for the lock of the table.</summary>
    public static readonly TimeSpan TableLockDeadline = TimeSpan.FromSeconds(2);

    /// <summary>How long a new incarnation waits for its own lock, which a process that looks for a proof may hold for
    /// a moment.</summary>
    public static readonly TimeSpan LifeLockDeadline = TimeSpan.FromMilliseconds(500);

    /// <summary>How long one wait for a change lasts at most.</summary>
    public static readonly TimeSpan WatchWait = TimeSpan.FromSeconds(30);

    /// <summary>How often a waiter looks by itself, because notices of the file system may get lost.</summary>
    public static readonly TimeSpan PollInterval = TimeSpan.FromMilliseconds(250);

    /// <summary>How long the file of an ended incarnation stays, so that processes which still list it can prove its
    /// end.</summary>
    public static readonly TimeSpan EndedLifeRetention = TimeSpan.FromDays(1);

    /// <summary>How many files of ended nodes one registration removes at most.</summary>
    public const int EndedLivesRemovedMax = 1_000;
}
