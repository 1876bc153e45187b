using Cluster.Contracts;
using Cluster.StateStore;
using Cluster.StateStore.Changes;

namespace Cluster.Nodes.AspNetCore.Tests.Clusters;

/// <summary>A state that counts the calls and lets a test run something before each.</summary>
internal sealed class ObservedState<TKey, TValue>(IPartitionedState<TKey, TValue> inner)
    : IPartitionedState<TKey, TValue>
    where TKey : notnull
{
    private readonly ConcurrentQueue<string> _calls = new();

    /// <summary>The state itself.</summary>
    public IPartitionedState<TKey, TValue> Inner => inner;

    public string Name => inner.Name;

    /// <summary>The names of the methods that were called.</summary>
    public IReadOnlyCollection<string> Calls => _calls;

    /// <summary>Runs before each call. It may fail, or wait for the token of the call.</summary>
    public Func<CancellationToken, Task>? BeforeCall { get; set; }

    public async ValueTask<TValue?> GetAsync(TKey key, CancellationToken cancellationToken = default)
    {
        await ObserveAsync(nameof(GetAsync), cancellationToken);
        return await inner.GetAsync(key, cancellationToken);
    }

    public async ValueTask<StateEntry<TValue>?> GetWithVersionAsync(
        TKey key, CancellationToken cancellationToken = default)
    {
        await ObserveAsync(nameof(GetWithVersionAsync), cancellationToken);
        return await inner.GetWithVersionAsync(key, cancellationToken);
    }

    public ValueTask<IReadOnlyDictionary<TKey, StateEntry<TValue>>> GetManyAsync(
        IEnumerable<TKey> keys, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException();

    public IAsyncEnumerable<StateRecord<TKey, TValue>> ScanPartitionAsync(
        PartitionId partition, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException();

    public IAsyncEnumerable<StateRecord<TKey, TValue>> ScanAsync(CancellationToken cancellationToken = default) =>
        inner.ScanAsync(cancellationToken);

    public IAsyncEnumerable<TKey> ScanKeysAsync(CancellationToken cancellationToken = default) =>
        inner.ScanKeysAsync(cancellationToken);

    public async ValueTask<TValue?> GetOrAddAsync(
        TKey key,
        Func<TKey, CancellationToken, ValueTask<TValue?>> load,
        StateExpiry expiry = default,
        CancellationToken cancellationToken = default)
    {
        await ObserveAsync(nameof(GetOrAddAsync), cancellationToken);
        return await inner.GetOrAddAsync(key, load, expiry, cancellationToken);
    }

    public IAsyncEnumerable<StateChange<TKey, TValue>> WatchAsync(CancellationToken cancellationToken = default) =>
        throw new NotSupportedException();

    public async ValueTask<StateVersion> PutAsync(
        TKey key, TValue value, StateExpiry expiry = default, CancellationToken cancellationToken = default)
    {
        await ObserveAsync(nameof(PutAsync), cancellationToken);
        return await inner.PutAsync(key, value, expiry, cancellationToken);
    }

    public async ValueTask<StateVersion?> PutIfVersionAsync(
        TKey key,
        TValue value,
        StateVersion version,
        StateExpiry expiry = default,
        CancellationToken cancellationToken = default)
    {
        await ObserveAsync(nameof(PutIfVersionAsync), cancellationToken);
        return await inner.PutIfVersionAsync(key, value, version, expiry, cancellationToken);
    }

    public async ValueTask<bool> RemoveAsync(TKey key, CancellationToken cancellationToken = default)
    {
        await ObserveAsync(nameof(RemoveAsync), cancellationToken);
        return await inner.RemoveAsync(key, cancellationToken);
    }

    public async ValueTask<bool> TouchAsync(
        TKey key, StateExpiry expiry = default, CancellationToken cancellationToken = default)
    {
        await ObserveAsync(nameof(TouchAsync), cancellationToken);
        return await inner.TouchAsync(key, expiry, cancellationToken);
    }

    public async ValueTask<TResult> UpdateAsync<TResult>(
        TKey key, IStateOperation<TValue, TResult> operation, CancellationToken cancellationToken = default)
    {
        await ObserveAsync(nameof(UpdateAsync), cancellationToken);
        return await inner.UpdateAsync(key, operation, cancellationToken);
    }

    private Task ObserveAsync(string name, CancellationToken cancellationToken)
    {
        _calls.Enqueue(name);
        return BeforeCall?.Invoke(cancellationToken) ?? Task.CompletedTask;
    }
}
