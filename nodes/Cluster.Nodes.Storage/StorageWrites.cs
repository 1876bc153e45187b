namespace Cluster.Nodes.Storage;

/// <summary>When a write reaches the storage of a stored state.</summary>
public enum StorageWrites
{
    /// <summary>Before it is acknowledged. When the storage fails, the write ends as
    /// <see cref="StateStore.StateStorageException"/>; the cluster has the value nevertheless, and stores it
    /// later.</summary>
    Through,

    /// <summary>After it is acknowledged: within <see cref="StoredStateOptions{TKey,TValue}.WriteDelay"/> while the
    /// storage works. Writes of one key within that time are stored as one. Until then, the value is as safe as the
    /// copies of the state make it.</summary>
    Behind,
}
