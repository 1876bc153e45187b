using Cluster.StateStore.Changes;

namespace Cluster.StateStore;

/// <summary>One named state of the cluster: values by key, each key kept by the node that owns its partition.
/// Single-key operations are linearizable. An instance is safe for concurrent use. Every failure of the state itself is
/// a <see cref="StateException"/>: <see cref="StateUnavailableException"/> when the key's owner cannot be reached in
/// time, <see cref="StateOutcomeUnknownException"/> when a write may or may not have happened (reads are tried again),
/// <see cref="StateRefusedException"/> when a key, value or operation is not accepted. Its inner exception is the
/// <see cref="Slim.SlimException"/> when the serializer refused a value. Await each task that a method returns once,
/// and do not block on it: what carries it is used again.</summary>
/// <typeparam name="TKey">The key: a string, an integer, a Guid, a byte array, or a type with a registered
/// codec.</typeparam>
/// <typeparam name="TValue">The value: any graph that Slim carries. Null means absent.</typeparam>
public interface IPartitionedState<TKey, TValue>
    where TKey : notnull
{
    /// <summary>The name under which the state was registered, the same on every node.</summary>
    string Name { get; }

    /// <summary>Reads a value; null (for a value type its default) when there is none or it has expired.</summary>
    /// <param name="key">The key.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<TValue?> GetAsync(TKey key, CancellationToken cancellationToken = default);

    /// <summary>Reads a value with its version; null when there is none or it has expired.</summary>
    /// <param name="key">The key.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<StateEntry<TValue>?> GetWithVersionAsync(TKey key, CancellationToken cancellationToken = default);

    /// <summary>Reads many values, several at a time.</summary>
    /// <param name="keys">The keys; a key that occurs twice is read once.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The values that are there, with their versions. Each is as a read of its key alone would have found it;
    /// together they are no snapshot.</returns>
    ValueTask<IReadOnlyDictionary<TKey, StateEntry<TValue>>> GetManyAsync(
        IEnumerable<TKey> keys, CancellationToken cancellationToken = default);

    /// <summary>Reads all values of one partition, in no particular order. A value that is there during the whole scan
    /// is given exactly once, also when the partition moves meanwhile; one that is stored or removed meanwhile may be
    /// given or not.</summary>
    /// <param name="partition">The partition, one of those that the keys of this state belong to.</param>
    /// <param name="cancellationToken">Ends the scan.</param>
    /// <exception cref="ArgumentOutOfRangeException">No key of this state belongs to the partition.</exception>
    IAsyncEnumerable<StateRecord<TKey, TValue>> ScanPartitionAsync(
        PartitionId partition, CancellationToken cancellationToken = default);

    /// <summary>Reads all values, partition after partition, as <see cref="ScanPartitionAsync"/> does.</summary>
    /// <param name="cancellationToken">Ends the scan.</param>
    IAsyncEnumerable<StateRecord<TKey, TValue>> ScanAsync(CancellationToken cancellationToken = default);

    /// <summary>Reads all keys without their values, partition after partition, as <see cref="ScanPartitionAsync"/>
    /// does.</summary>
    /// <param name="cancellationToken">Ends the scan.</param>
    IAsyncEnumerable<TKey> ScanKeysAsync(CancellationToken cancellationToken = default);

    /// <summary>Reads a value, or loads and stores it where there is none. However many callers ask for it in the
    /// cluster, one loads it and the others wait. Another caller loads it when that one fails, or takes longer than 30
    /// seconds. A value that was loaded while somebody else wrote the key is not stored, because it may be older; the
    /// newer one is given, or the value is loaded anew.</summary>
    /// <param name="key">The key.</param>
    /// <param name="load">Loads the value; null means that there is none, and nothing is stored. Its token ends when
    /// the time to load is over; the caller's own token does not end it, because others may wait for the value. What it
    /// throws reaches the callers of this process that wait for it.</param>
    /// <param name="expiry">When a loaded value goes away; by default what the state was registered with.</param>
    /// <param name="cancellationToken">Ends the wait of this caller.</param>
    /// <returns>The value; null (for a value type its default) where there is none.</returns>
    ValueTask<TValue?> GetOrAddAsync(
        TKey key,
        Func<TKey, CancellationToken, ValueTask<TValue?>> load,
        StateExpiry expiry = default,
        CancellationToken cancellationToken = default);

    /// <summary>Tells the changes of all values as they are acknowledged, from all nodes. Changes of one key come in
    /// the order of their versions. The first thing told of each partition, and the first after changes may have been
    /// missed, is <see cref="StateChangeKind.Began"/>: after a node was lost that told them, after the reader was too
    /// far behind (a node keeps 4 MiB for it), or after values were lost.</summary>
    /// <param name="cancellationToken">Ends the watch.</param>
    /// <returns>A sequence without an end.</returns>
    IAsyncEnumerable<StateChange<TKey, TValue>> WatchAsync(CancellationToken cancellationToken = default);

    /// <summary>Stores a value, whatever was there before.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value; not null, use <see cref="RemoveAsync"/> for that.</param>
    /// <param name="expiry">When it goes away; by default what the state was registered with.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The version of the stored value.</returns>
    ValueTask<StateVersion> PutAsync(
        TKey key, TValue value, StateExpiry expiry = default, CancellationToken cancellationToken = default);

    /// <summary>Stores a value only if the present one still has a version.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value; not null.</param>
    /// <param name="version">The version to replace; <see cref="StateVersion.None"/> stores only where nothing
    /// is.</param>
    /// <param name="expiry">When it goes away; by default what the state was registered with.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The version of the stored value, or null when the present version is another one.</returns>
    ValueTask<StateVersion?> PutIfVersionAsync(
        TKey key,
        TValue value,
        StateVersion version,
        StateExpiry expiry = default,
        CancellationToken cancellationToken = default);

    /// <summary>Removes a value.</summary>
    /// <param name="key">The key.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Whether there was one.</returns>
    ValueTask<bool> RemoveAsync(TKey key, CancellationToken cancellationToken = default);

    /// <summary>Sets anew when a value goes away; value and version stay.</summary>
    /// <param name="key">The key.</param>
    /// <param name="expiry">When it goes away. By default, the window of a value with a sliding expiry starts anew, and
    /// any other value gets what the state was registered with.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Whether there was a value.</returns>
    ValueTask<bool> TouchAsync(TKey key, StateExpiry expiry = default, CancellationToken cancellationToken = default);

    /// <summary>Runs an operation once, on the key's owner, while no other write of this key runs. An operation that
    /// throws changes nothing, and its exception reaches the caller. The expiry of a present value stays, a new one
    /// gets the default.</summary>
    /// <typeparam name="TResult">What the operation answers.</typeparam>
    /// <param name="key">The key.</param>
    /// <param name="operation">The operation, of a type that is registered for this state.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<TResult> UpdateAsync<TResult>(
        TKey key, IStateOperation<TValue, TResult> operation, CancellationToken cancellationToken = default);
}
