namespace Cluster.Nodes.Storage;

/// <summary>Makes records of storages. Stateless.</summary>
public static class StorageRecord
{
    /// <summary>Makes the record of a removal.</summary>
    /// <typeparam name="TValue">The value type of the state.</typeparam>
    /// <param name="revision">Its revision.</param>
    public static StorageRecord<TValue> Removed<TValue>(long revision) => new(default!, revision) { IsRemoved = true };
}
