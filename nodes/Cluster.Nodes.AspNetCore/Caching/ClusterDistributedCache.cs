using Cluster.Nodes.AspNetCore.Blocking;
using Cluster.Nodes.AspNetCore.Refusals;
using Cluster.StateStore;
using Microsoft.Extensions.Caching.Distributed;

namespace Cluster.Nodes.AspNetCore.Caching;

/// <summary>The distributed cache of .NET over a state of the cluster. A read is one call to the owner of the key, also
/// where it starts a sliding window anew; an asynchronous call for a key of this node ends synchronously. Failures are
/// those of the state (<see cref="StateException"/>). Immutable and thread-safe.</summary>
internal sealed class ClusterDistributedCache(
    IPartitionedState<string, CachedValue> state,
    ClusterCacheOptions settings,
    RefusalMetrics refusals,
    TimeProvider time) : IBufferDistributedCache
{
    private readonly int _maxKeyLength = settings.MaxKeyLength;
    private readonly int _maxValueBytes = settings.MaxValueBytes;

    public byte[]? Get(string key) => BlockingWait.For(ReadArrayAsync(key, CancellationToken.None));

    public Task<byte[]?> GetAsync(string key, CancellationToken cancellationToken = default) =>
        ReadArrayAsync(key, cancellationToken).AsTask();

    public bool TryGet(string key, IBufferWriter<byte> destination) =>
        BlockingWait.For(TryGetAsync(key, destination, CancellationToken.None));

    public async ValueTask<bool> TryGetAsync(
        string key, IBufferWriter<byte> destination, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(destination);
        if (await ReadAsync(key, cancellationToken).ConfigureAwait(false) is not { } value)
            return false;
        foreach (var part in value.Bytes)
            destination.Write(part.Span);
        value.Return();
        return true;
    }

    public void Set(string key, byte[] value, DistributedCacheEntryOptions options)
    {
        ArgumentNullException.ThrowIfNull(value);
        BlockingWait.For(WriteAsync(key, new ReadOnlySequence<byte>(value), options, CancellationToken.None));
    }

    public Task SetAsync(
        string key, byte[] value, DistributedCacheEntryOptions options, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(value);
        return WriteAsync(key, new ReadOnlySequence<byte>(value), options, cancellationToken).AsTask();
    }

    public void Set(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions options) =>
        BlockingWait.For(WriteAsync(key, value, options, CancellationToken.None));

    public ValueTask SetAsync(
        string key,
        ReadOnlySequence<byte> value,
        DistributedCacheEntryOptions options,
        CancellationToken cancellationToken = default) =>
        WriteAsync(key, value, options, cancellationToken);

    public void Refresh(string key) => BlockingWait.For(RenewAsync(key, CancellationToken.None));

    public Task RefreshAsync(string key, CancellationToken cancellationToken = default) =>
        RenewAsync(key, cancellationToken).AsTask();

    public void Remove(string key) => BlockingWait.For(DropAsync(key, CancellationToken.None));

    public Task RemoveAsync(string key, CancellationToken cancellationToken = default) =>
        DropAsync(key, cancellationToken).AsTask();

    private async ValueTask<byte[]?> ReadArrayAsync(string key, CancellationToken cancellationToken)
    {
        if (await ReadAsync(key, cancellationToken).ConfigureAwait(false) is not { } value)
            return null;
        var bytes = value.Bytes.ToArray();
        value.Return();
        return bytes;
    }

    // A read of the state starts the window of a sliding value anew.
    private async ValueTask RenewAsync(string key, CancellationToken cancellationToken)
    {
        if (await ReadAsync(key, cancellationToken).ConfigureAwait(false) is { } value)
            value.Return();
    }

    private async ValueTask DropAsync(string key, CancellationToken cancellationToken)
    {
        CheckKey(key);
        await state.RemoveAsync(key, cancellationToken).ConfigureAwait(false);
    }

    private async ValueTask WriteAsync(
        string key,
        ReadOnlySequence<byte> value,
        DistributedCacheEntryOptions options,
        CancellationToken cancellationToken)
    {
        CheckKey(key);
        ArgumentNullException.ThrowIfNull(options);
        if (value.Length > _maxValueBytes)
        {
            refusals.Count(state.Name, RefusalReason.ValueTooLarge);
            throw new CacheLimitException(
                state.Name, nameof(ClusterCacheOptions.MaxValueBytes), nameof(value), _maxValueBytes, value.Length);
        }

        var life = EntryLife.Of(options, time);
        var stored = new CachedValue(value, life.EndTicks, life.WindowTicks);
        await state.PutAsync(key, stored, life.Expiry, cancellationToken).ConfigureAwait(false);
    }

    private async ValueTask<CachedValue?> ReadAsync(string key, CancellationToken cancellationToken)
    {
        CheckKey(key);
        if (await state.GetWithVersionAsync(key, cancellationToken).ConfigureAwait(false) is not { } entry)
            return null;
        var value = entry.Value;
        if (value.EndTicks == 0)
            return value;
        var now = time.GetUtcNow().UtcTicks;
        if (now >= value.EndTicks)
        {
            value.Return();
            return null;
        }

        if (value.WindowTicks != 0 && EntryLife.IsPastEnd(now, value.WindowTicks, value.EndTicks))
            await EndAsync(key, entry, cancellationToken).ConfigureAwait(false);
        return value;
    }

    // From now on the state ends the value at its end, and no read moves that. The version keeps a value that was set
    // meanwhile as it is.
    private async ValueTask EndAsync(string key, StateEntry<CachedValue> entry, CancellationToken cancellationToken)
    {
        var ended = entry.Value with { WindowTicks = 0 };
        var end = StateExpiry.At(new DateTimeOffset(ended.EndTicks, TimeSpan.Zero));
        try
        {
            await state.PutIfVersionAsync(key, ended, entry.Version, end, cancellationToken).ConfigureAwait(false);
        }
        catch (StateException)
        {
            // The read has succeeded, and readers see the end also without this. The next read tries it again.
        }
    }

    private void CheckKey(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        if (key.Length > _maxKeyLength)
        {
            refusals.Count(state.Name, RefusalReason.KeyTooLong);
            throw new CacheLimitException(
                state.Name, nameof(ClusterCacheOptions.MaxKeyLength), nameof(key), _maxKeyLength, key.Length);
        }
    }
}
