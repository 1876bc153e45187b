namespace Cluster.Nodes.Storage;

/// <summary>Where the values of a stored state lie when no node has them. Implement it for a database of your own. Used
/// by many threads at once, and by all nodes and clients that use the state, so all of them reach the same storage. Any
/// exception is a failure: a load fails at its caller, and a store is tried again with growing pauses. Both end with
/// the token after <see cref="StoredStateOptions{TKey,TValue}.StorageTimeout"/>. The container disposes
/// it.</summary>
/// <typeparam name="TKey">The key type of the state.</typeparam>
/// <typeparam name="TValue">The value type of the state.</typeparam>
public interface IStateStorage<TKey, TValue>
    where TKey : notnull
{
    /// <summary>Reads what is stored for a key.</summary>
    /// <param name="key">The key.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The record, which may be a removal; null where the storage knows nothing.</returns>
    ValueTask<StorageRecord<TValue>?> LoadAsync(TKey key, CancellationToken cancellationToken);

    /// <summary>Stores a record, unless the storage has one with a greater revision. Compare and write in one atomic
    /// step: a node that was paused in the middle of a store, and goes on after another node has taken over, must not
    /// replace the newer value. Storing the same record twice has no further effect. A removal takes the place of the
    /// value, and its revision is kept for a time, best a day, for the same reason.</summary>
    /// <param name="key">The key.</param>
    /// <param name="record">The value with its revision, or the removal.</param>
    /// <param name="cancellationToken">Ends the wait; the store may happen or not.</param>
    /// <returns>The revision that the storage has afterwards: that of the record, or a greater one.</returns>
    ValueTask<long> StoreAsync(TKey key, StorageRecord<TValue> record, CancellationToken cancellationToken);
}
