using Cluster.StateStore;
using Cluster.StateStore.Changes;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Routing;

/// <summary>The state object that is injected. Injection happens before the cluster's properties are known, so the
/// client behind it is made at the first use. Safe for concurrent use; two clients made at the same time are
/// equal.</summary>
internal sealed class RoutedState<TKey, TValue>(StateDefinition<TKey, TValue> definition, StateRouting routing)
    : IPartitionedState<TKey, TValue>, IKeyedState<TKey>, IMarkedState<TKey>
    where TKey : notnull
{
    private volatile StateClient<TKey, TValue>? _client;

    public string Name => definition.Name;

    private StateClient<TKey, TValue> Client =>
        _client ??= new StateClient<TKey, TValue>(definition, routing.Router);

    public ClusterMember? OwnerOf(TKey key) => Client.RouteOf(key).Owner;

    public PartitionId? FindPartition(TKey key) => Client.FindPartition(key);

    public NearMark Mark(TKey key) => Client.Mark(key);

    public ValueTask<TValue?> GetAsync(TKey key, CancellationToken cancellationToken = default) =>
        Client.GetAsync(key, cancellationToken);

    public ValueTask<StateEntry<TValue>?> GetWithVersionAsync(
        TKey key, CancellationToken cancellationToken = default) =>
        Client.GetWithVersionAsync(key, cancellationToken);

    public ValueTask<IReadOnlyDictionary<TKey, StateEntry<TValue>>> GetManyAsync(
        IEnumerable<TKey> keys, CancellationToken cancellationToken = default) =>
        Client.GetManyAsync(keys, cancellationToken);

    public IAsyncEnumerable<StateRecord<TKey, TValue>> ScanPartitionAsync(
        PartitionId partition, CancellationToken cancellationToken = default) =>
        Client.ScanPartitionAsync(partition, cancellationToken);

    public IAsyncEnumerable<StateRecord<TKey, TValue>> ScanAsync(CancellationToken cancellationToken = default) =>
        Client.ScanAsync(cancellationToken);

    public IAsyncEnumerable<TKey> ScanKeysAsync(CancellationToken cancellationToken = default) =>
        Client.ScanKeysAsync(cancellationToken);

    public ValueTask<TValue?> GetOrAddAsync(
        TKey key,
        Func<TKey, CancellationToken, ValueTask<TValue?>> load,
        StateExpiry expiry = default,
        CancellationToken cancellationToken = default) =>
        Client.GetOrAddAsync(key, load, expiry, cancellationToken);

    public IAsyncEnumerable<StateChange<TKey, TValue>> WatchAsync(CancellationToken cancellationToken = default) =>
        Client.WatchAsync(cancellationToken);

    public ValueTask<StateVersion> PutAsync(
        TKey key, TValue value, StateExpiry expiry = default, CancellationToken cancellationToken = default) =>
        Client.PutAsync(key, value, expiry, cancellationToken);

    public ValueTask<StateVersion?> PutIfVersionAsync(
        TKey key, TValue value, StateVersion version, StateExpiry expiry = default,
        CancellationToken cancellationToken = default) =>
        Client.PutIfVersionAsync(key, value, version, expiry, cancellationToken);

    public ValueTask<bool> RemoveAsync(TKey key, CancellationToken cancellationToken = default) =>
        Client.RemoveAsync(key, cancellationToken);

    public ValueTask<bool> TouchAsync(
        TKey key, StateExpiry expiry = default, CancellationToken cancellationToken = default) =>
        Client.TouchAsync(key, expiry, cancellationToken);

    public ValueTask<TResult> UpdateAsync<TResult>(
        TKey key, IStateOperation<TValue, TResult> operation, CancellationToken cancellationToken = default) =>
        Client.UpdateAsync(key, operation, cancellationToken);
}
