using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Hosting;

/// <summary>A state as its users see it: serializes values here, so that one that cannot travel fails at its caller,
/// and leaves finding the owner to the router. Immutable and thread-safe.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
public sealed class StateClient<TKey, TValue> : IPartitionedState<TKey, TValue>
    where TKey : notnull
{
    private readonly StateDefinition<TKey, TValue> _state;
    private readonly StateRouter _router;

    /// <summary>Makes a client.</summary>
    /// <param name="state">The state.</param>
    /// <param name="router">The router of this process.</param>
    public StateClient(StateDefinition<TKey, TValue> state, StateRouter router)
    {
        ArgumentNullException.ThrowIfNull(state);
        ArgumentNullException.ThrowIfNull(router);
        _state = state;
        _router = router;
    }

    /// <inheritdoc />
    public string Name => _state.Name;

    /// <summary>The partition that a key belongs to.</summary>
    /// <param name="key">The key.</param>
    public PartitionId PartitionOf(TKey key) => _router.Hash.PartitionOf(KeyOf(key).Hash);

    /// <summary>Where requests for a key go now.</summary>
    /// <param name="key">The key.</param>
    public PartitionRoute RouteOf(TKey key) => _router.RouteOf(KeyOf(key).Hash);

    /// <inheritdoc />
    public async ValueTask<TValue?> GetAsync(TKey key, CancellationToken cancellationToken = default)
    {
        var entry = await GetWithVersionAsync(key, cancellationToken).ConfigureAwait(false);
        return entry is { } found ? found.Value : default;
    }

    /// <inheritdoc />
    public async ValueTask<StateEntry<TValue>?> GetWithVersionAsync(
        TKey key, CancellationToken cancellationToken = default)
    {
        using var call = new ReadCall<TValue>(_state, _state.Format, KeyOf(key));
        await _router.SendAsync(call, cancellationToken).ConfigureAwait(false);
        return call.Found;
    }

    /// <inheritdoc />
    public async ValueTask<StateVersion> PutAsync(
        TKey key, TValue value, StateExpiry expiry = default, CancellationToken cancellationToken = default)
    {
        using var call = Write(KeyOf(key), StateVerb.Put, value, expiry, StateVersion.None);
        await _router.SendAsync(call, cancellationToken).ConfigureAwait(false);
        return call.Written!.Value;
    }

    /// <inheritdoc />
    public async ValueTask<StateVersion?> PutIfVersionAsync(
        TKey key,
        TValue value,
        StateVersion version,
        StateExpiry expiry = default,
        CancellationToken cancellationToken = default)
    {
        using var call = Write(KeyOf(key), StateVerb.PutIfVersion, value, expiry, version);
        await _router.SendAsync(call, cancellationToken).ConfigureAwait(false);
        return call.Written;
    }

    /// <inheritdoc />
    public async ValueTask<bool> RemoveAsync(TKey key, CancellationToken cancellationToken = default)
    {
        using var call = new WriteCall(_state, KeyOf(key), StateVerb.Remove, default, null);
        await _router.SendAsync(call, cancellationToken).ConfigureAwait(false);
        return call.Written is not null;
    }

    /// <inheritdoc />
    public async ValueTask<bool> TouchAsync(
        TKey key, StateExpiry expiry = default, CancellationToken cancellationToken = default)
    {
        using var call = new WriteCall(_state, KeyOf(key), StateVerb.Touch, expiry, null);
        await _router.SendAsync(call, cancellationToken).ConfigureAwait(false);
        return call.Written is not null;
    }

    /// <inheritdoc />
    public async ValueTask<TResult> UpdateAsync<TResult>(
        TKey key, IStateOperation<TValue, TResult> operation, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(operation);
        var (target, binding) = (KeyOf(key), _state.BindingOf(operation));
        using var call = new UpdateCall<TValue, TResult>(_state, _state.Format, target, binding, operation);
        await _router.SendAsync(call, cancellationToken).ConfigureAwait(false);
        return call.TakeResult();
    }

    private HashedKey KeyOf(TKey key)
    {
        ArgumentNullException.ThrowIfNull(key);
        OperationScope.ThrowIfInside(Name);
        return _state.KeyOf(key, _router.Hash);
    }

    private WriteCall Write(in HashedKey key, StateVerb verb, TValue value, StateExpiry expiry, StateVersion version)
    {
        ArgumentNullException.ThrowIfNull(value);
        return new WriteCall(_state, key, verb, expiry, _state.Format.Write(value)) { Expected = version };
    }
}
