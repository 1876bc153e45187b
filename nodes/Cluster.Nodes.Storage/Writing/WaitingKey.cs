namespace Cluster.Nodes.Storage.Writing;

/// <summary>How far a key has come on its way to the storage.</summary>
internal enum KeyPhase
{
    /// <summary>Its time has not come.</summary>
    Waiting,

    /// <summary>A worker takes it next.</summary>
    Ready,

    /// <summary>A worker stores it.</summary>
    Running,
}

/// <summary>A key that has to be stored. The lock of its <see cref="WriteQueue"/> protects it.</summary>
/// <param name="key">The canonical bytes of the key.</param>
internal sealed class WaitingKey(byte[] key)
{
    public byte[] Key { get; } = key;

    public KeyPhase Phase { get; set; }

    /// <summary>When its time comes, as a timestamp.</summary>
    public long DueAt { get; set; }

    /// <summary>How many attempts have failed since the last one that did not.</summary>
    public int FailureCount { get; set; }

    /// <summary>Whether the key was noted again while a worker stored it.</summary>
    public bool IsNotedAgain { get; set; }

    /// <summary>Whether only a scan has found the key, and no writer has told it.</summary>
    public bool IsFromScan { get; set; }

    /// <summary>Whether the record is kept in memory although it should go at some time.</summary>
    public bool IsPinned { get; set; }

    /// <summary>Who waits for the next attempt.</summary>
    public List<KeyWaiter> Waiters { get; set; } = [];
}
