using Cluster.StateStore.Changes;
using Cluster.StateStore.Engine;
using Cluster.StateStore.Hosting.Calls;
using Cluster.StateStore.Hosting.Feeds;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Hosting;

/// <summary>A state as its users see it: serializes values here, so that one that cannot travel fails at its caller,
/// and leaves finding the owner to the router. Immutable and thread-safe.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
public sealed class StateClient<TKey, TValue> : IPartitionedState<TKey, TValue>, IMarkedState<TKey>
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

    /// <summary>The partition that a key belongs to; null while no node has joined that has the state.</summary>
    /// <param name="key">The key.</param>
    public PartitionId? FindPartition(TKey key) => _router.FindPartition(_state, KeyOf(key).Hash);

    /// <summary>Where requests for a key go now.</summary>
    /// <param name="key">The key.</param>
    public PartitionRoute RouteOf(TKey key) => _router.RouteOf(_state, KeyOf(key).Hash);

    /// <inheritdoc />
    public NearMark Mark(TKey key)
    {
        if (_router.FindNearCache(_state) is not { } near)
            return default;
        var hashed = KeyOf(key);
        return near.Mark(hashed, IndexOf(hashed));
    }

    /// <inheritdoc />
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<TValue?> GetAsync(TKey key, CancellationToken cancellationToken = default)
    {
        var entry = await GetWithVersionAsync(key, cancellationToken).ConfigureAwait(false);
        return entry is { } found ? found.Value : default;
    }

    /// <inheritdoc />
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<StateEntry<TValue>?> GetWithVersionAsync(
        TKey key, CancellationToken cancellationToken = default)
    {
        var hashed = KeyOf(key);
        if (_router.FindNearCache(_state) is { } near && !_router.IsOwn(_state, hashed.Hash))
            return await GetNearAsync(near, hashed, cancellationToken).ConfigureAwait(false);
        using var call = ReadCall<TValue>.Rent(_state, _state.Format, hashed);
        await _router.SendAsync(call, cancellationToken).ConfigureAwait(false);
        while (call.FindUnknownLayout() is { } unknown)
            await _router.LearnAsync(_state, call.Key.Hash, unknown, cancellationToken).ConfigureAwait(false);
        return call.Found;
    }

    /// <inheritdoc />
    public ValueTask<IReadOnlyDictionary<TKey, StateEntry<TValue>>> GetManyAsync(
        IEnumerable<TKey> keys, CancellationToken cancellationToken = default) =>
        ManyReads.GetManyAsync(this, keys, cancellationToken);

    /// <inheritdoc />
    public IAsyncEnumerable<StateRecord<TKey, TValue>> ScanPartitionAsync(
        PartitionId partition, CancellationToken cancellationToken = default)
    {
        var isOwn = _router.FindPartition(_state, 0) is { } first
            && partition.Value >= first.Value && partition.Value < first.Value + _router.Hash.PartitionCount;
        if (!isOwn)
        {
            throw new ArgumentOutOfRangeException(
                nameof(partition), partition, $"No key of state '{Name}' belongs to this partition.");
        }

        return ScanAsync(_router.Hash.IndexOf(partition), cancellationToken);
    }

    /// <inheritdoc />
    public async IAsyncEnumerable<StateRecord<TKey, TValue>> ScanAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        for (var index = 0; index < _router.Hash.PartitionCount; index++)
        {
            await foreach (var record in ScanAsync(index, cancellationToken).ConfigureAwait(false))
                yield return record;
        }
    }

    /// <inheritdoc />
    public async IAsyncEnumerable<TKey> ScanKeysAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        for (var index = 0; index < _router.Hash.PartitionCount; index++)
        {
            var records = ScanAsync(index, withValues: false, cancellationToken);
            await foreach (var record in records.ConfigureAwait(false))
                yield return _state.KeyFrom(record.Key.Span);
        }
    }

    /// <inheritdoc />
    public async ValueTask<StateVersion> PutAsync(
        TKey key, TValue value, StateExpiry expiry = default, CancellationToken cancellationToken = default)
    {
        using var call = Write(KeyOf(key), StateVerb.Put, value, expiry, StateVersion.None);
        await SendWriteAsync(call, cancellationToken).ConfigureAwait(false);
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
        await SendWriteAsync(call, cancellationToken).ConfigureAwait(false);
        return call.Written;
    }

    /// <inheritdoc />
    public async ValueTask<bool> RemoveAsync(TKey key, CancellationToken cancellationToken = default)
    {
        using var call = new WriteCall(_state, KeyOf(key), StateVerb.Remove, default, null);
        await SendWriteAsync(call, cancellationToken).ConfigureAwait(false);
        return call.Written is not null;
    }

    /// <inheritdoc />
    public async ValueTask<bool> TouchAsync(
        TKey key, StateExpiry expiry = default, CancellationToken cancellationToken = default)
    {
        using var call = new WriteCall(_state, KeyOf(key), StateVerb.Touch, expiry, null);
        await SendWriteAsync(call, cancellationToken).ConfigureAwait(false);
        return call.Written is not null;
    }

    /// <inheritdoc />
    public async ValueTask<TResult> UpdateAsync<TResult>(
        TKey key, IStateOperation<TValue, TResult> operation, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(operation);
        var (target, binding) = (KeyOf(key), _state.BindingOf(operation));
        using var call = new UpdateCall<TValue, TResult>(_state, _state.Format, target, binding, operation);
        await SendWriteAsync(call, cancellationToken).ConfigureAwait(false);
        while (true)
        {
            if (call.TryTakeResult(out var result, out var unknown))
                return result;
            await _router.LearnAsync(_state, call.Key.Hash, unknown, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <inheritdoc />
    public async ValueTask<TValue?> GetOrAddAsync(
        TKey key,
        Func<TKey, CancellationToken, ValueTask<TValue?>> load,
        StateExpiry expiry = default,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(load);
        if (_state.NearCacheBytes > 0
            && await GetWithVersionAsync(key, cancellationToken).ConfigureAwait(false) is { } kept)
            return kept.Value;
        var hashed = KeyOf(key);
        var bytes = await _router.Loads
            .RunAsync(hashed.Key, () => LoadAsync(hashed, time => load(key, time), expiry), cancellationToken)
            .ConfigureAwait(false);

        // Each caller gets a value of its own.
        return bytes is null ? default : await ReadAsync(hashed.Hash, bytes, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc />
    public async IAsyncEnumerable<StateChange<TKey, TValue>> WatchAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        OperationScope.ThrowIfInside(Name);
        while (_router.FindPartition(_state, 0) is null)
        {
            var version = _router.Feeds.View.Current.Version;
            await _router.Feeds.View.WaitForNewerAsync(version, cancellationToken).ConfigureAwait(false);
        }

        var reader = new ChangeReader<TKey, TValue>(_state, _router.FindPartition(_state, 0)!.Value, ReadAsync);
        var feed = new FeedClient(_router.Feeds, _state, withValues: true, reader);
        await using (feed.ConfigureAwait(false))
        {
            reader.EndWith(feed.Completion);
            await foreach (var change in reader.Changes.ReadAllAsync(cancellationToken).ConfigureAwait(false))
                yield return change;
        }
    }

    private int IndexOf(in HashedKey key) => _router.Hash.IndexOf(_router.Hash.PartitionOf(key.Hash));

    private async ValueTask<StateEntry<TValue>?> GetNearAsync(
        NearCache near, HashedKey key, CancellationToken cancellationToken)
    {
        var index = IndexOf(key);
        if (near.TryRead(key, index, out var version, out var kept))
        {
            var read = await ReadAsync(key.Hash, kept, cancellationToken).ConfigureAwait(false);
            return new StateEntry<TValue>(read, new StateVersion(version));
        }

        var known = near.Begin(key, index);
        using var call = ReadCall<TValue>.Rent(_state, _state.Format, key);
        await _router.SendAsync(call, cancellationToken).ConfigureAwait(false);
        while (call.FindUnknownLayout() is { } unknown)
            await _router.LearnAsync(_state, call.Key.Hash, unknown, cancellationToken).ConfigureAwait(false);
        if (known is { } fill && call.Keepable is { } value)
            near.Fill(key, fill, call.Found!.Value.Version.Value, value);
        return call.Found;
    }

    private async ValueTask<TValue> ReadAsync(
        ulong keyHash, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        while (true)
        {
            if (_state.Format.TryFromBytes(bytes.Span, out TValue value, out var unknown))
                return value;
            await _router.LearnAsync(_state, keyHash, unknown, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task<byte[]?> LoadAsync(
        HashedKey key, Func<CancellationToken, ValueTask<TValue?>> load, StateExpiry expiry)
    {
        while (true)
        {
            var token = SharedLoads.NewToken();
            using var ask = new LoadCall(_state, key, token);
            await _router.SendAsync(ask, CancellationToken.None).ConfigureAwait(false);
            if (ask.Found is not null)
                return ask.Found;
            if (ask.IsLoading)
                continue;
            var (value, isStored) = await LoadAsync(key, token, load, expiry).ConfigureAwait(false);
            if (value is null || isStored)
                return value;
        }
    }

    private async Task<(byte[]? Value, bool IsStored)> LoadAsync(
        HashedKey key, long token, Func<CancellationToken, ValueTask<TValue?>> load, StateExpiry expiry)
    {
        byte[]? bytes = null;
        try
        {
            using var time = new CancellationTokenSource(OwnerOperations.LoadTime, _router.Feeds.Time);
            if (await load(time.Token).ConfigureAwait(false) is { } value)
            {
                using var put = new WriteCall(_state, key, StateVerb.Put, expiry, _state.Format.Write(value))
                {
                    LoadToken = token,
                };
                bytes = put.ValueBytes;
                await SendWriteAsync(put, CancellationToken.None).ConfigureAwait(false);
                return (bytes, put.Written is not null);
            }
        }
        finally
        {
            if (bytes is null)
            {
                using var end = new LoadCall(_state, key, token, givesUp: true);
                await _router.SendAsync(end, CancellationToken.None).ConfigureAwait(false);
            }
        }

        return (null, false);
    }

    private ValueTask SendWriteAsync(StateCall call, CancellationToken cancellationToken) =>
        _state.NearCacheBytes == 0
            ? _router.SendAsync(call, cancellationToken)
            : SendAndForgetAsync(call, cancellationToken);

    // What this process has written, it does not read older.
    private async ValueTask SendAndForgetAsync(StateCall call, CancellationToken cancellationToken)
    {
        try
        {
            await _router.SendAsync(call, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _router.Forget(_state, call.Key);
        }
    }

    private async IAsyncEnumerable<StateRecord<TKey, TValue>> ScanAsync(
        int index, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var hash = _router.Hash.RangeOf(new PartitionId(index)).First;
        var records = ScanAsync(index, withValues: true, cancellationToken);
        await foreach (var (key, version, bytes) in records.ConfigureAwait(false))
        {
            var value = await ReadAsync(hash, bytes, cancellationToken).ConfigureAwait(false);
            yield return new(_state.KeyFrom(key.Span), value, new StateVersion(version));
        }
    }

    private async IAsyncEnumerable<(ReadOnlyMemory<byte> Key, long Version, ReadOnlyMemory<byte> Value)> ScanAsync(
        int index, bool withValues, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        OperationScope.ThrowIfInside(Name);
        var place = new HashedKey(_state.Id, _router.Hash.RangeOf(new PartitionId(index)).First, []);
        ulong cursor = 0;
        do
        {
            using var call = new ScanCall(_state, place, cursor, withValues);
            await _router.SendAsync(call, cancellationToken).ConfigureAwait(false);
            var records = ScanFormat.Read(
                call.Page!.Payload, static (key, version, value) => (key, version, value));
            foreach (var record in records)
                yield return record;
            cursor = call.Page.Cursor;
        }
        while (cursor != 0);
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
