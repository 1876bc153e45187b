using Cluster.Nodes.Storage.Access;
using Cluster.Nodes.Storage.Settings;
using Cluster.Nodes.Storage.Values;
using Cluster.Nodes.Storage.Writing;
using Cluster.StateStore;
using Cluster.StateStore.Changes;
using Cluster.StateStore.Hosting;

namespace Cluster.Nodes.Storage.States;

/// <summary>A state with a storage behind it, as its users see it. The memory of the nodes is an ordinary state of
/// records. Reads load what it does not have; writes run on the owner, which gives them a revision, and are then told
/// to the owner's writer. The version that users see is the revision, because the version in memory also changes when a
/// value is stored. Immutable and thread-safe.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
internal sealed class StoredState<TKey, TValue>(
    StoredStateSettings<TKey, TValue> settings,
    IPartitionedState<TKey, Stored<TValue>> memory,
    StorageAccess<TKey, TValue> storage,
    OwnerWriter<TKey> writer,
    TimeProvider time) : IPartitionedState<TKey, TValue>
    where TKey : notnull
{
    public string Name => settings.Name;

    public async ValueTask<TValue?> GetAsync(TKey key, CancellationToken cancellationToken = default)
    {
        var found = await FindAsync(key, cancellationToken).ConfigureAwait(false);
        return found is null ? default : found.Value;
    }

    public async ValueTask<StateEntry<TValue>?> GetWithVersionAsync(
        TKey key, CancellationToken cancellationToken = default)
    {
        var found = await FindAsync(key, cancellationToken).ConfigureAwait(false);
        return found is null ? null : new StateEntry<TValue>(found.Value!, new StateVersion(found.Revision));
    }

    public ValueTask<IReadOnlyDictionary<TKey, StateEntry<TValue>>> GetManyAsync(
        IEnumerable<TKey> keys, CancellationToken cancellationToken = default) =>
        ManyReads.GetManyAsync(this, keys, cancellationToken);

    public IAsyncEnumerable<StateRecord<TKey, TValue>> ScanPartitionAsync(
        PartitionId partition, CancellationToken cancellationToken = default) =>
        ValuesOf(memory.ScanPartitionAsync(partition, cancellationToken));

    public IAsyncEnumerable<StateRecord<TKey, TValue>> ScanAsync(CancellationToken cancellationToken = default) =>
        ValuesOf(memory.ScanAsync(cancellationToken));

    // A scan of keys alone would give those of removals, too.
    public async IAsyncEnumerable<TKey> ScanKeysAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await foreach (var record in ScanAsync(cancellationToken).ConfigureAwait(false))
            yield return record.Key;
    }

    public async ValueTask<TValue?> GetOrAddAsync(
        TKey key,
        Func<TKey, CancellationToken, ValueTask<TValue?>> load,
        StateExpiry expiry = default,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(load);
        Check(expiry);
        while (true)
        {
            var found = await memory
                .GetOrAddAsync(key, (_, limit) => LoadOrMakeAsync(key, load, limit), default, cancellationToken)
                .ConfigureAwait(false);
            if (found is null)
                return default;
            if (!found.IsRemoved)
            {
                if (found.IsDirty)
                {
                    await SettleAsync(key, RequestOf(key, found.Revision, found.Lineage.Id), cancellationToken)
                        .ConfigureAwait(false);
                }

                return found.Value;
            }

            // The storage does not have the removal yet, so it must not be asked; or another writer has just asked it.
            var made = await load(key, cancellationToken).ConfigureAwait(false);
            if (made is null)
                return default;
            var put = await PutIfVersionAsync(key, made, StateVersion.None, default, cancellationToken)
                .ConfigureAwait(false);
            if (put is not null)
                return made;
        }
    }

    public async IAsyncEnumerable<StateChange<TKey, TValue>> WatchAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await foreach (var change in memory.WatchAsync(cancellationToken).ConfigureAwait(false))
        {
            if (change.Kind == StateChangeKind.Began)
                yield return new(StateChangeKind.Began, change.Partition, default, default, default);

            // Only a write makes a record dirty. What else happens in memory changes no value: a load, a record that
            // is stored now, a removal or an expiry after the storage has everything.
            if (change is not { Kind: StateChangeKind.Stored, Value: { IsDirty: true } written })
                continue;
            var kind = written.IsRemoved ? StateChangeKind.Removed : StateChangeKind.Stored;
            yield return new(
                kind, change.Partition, change.Key, written.Value, new StateVersion(written.Revision));
        }
    }

    public async ValueTask<StateVersion> PutAsync(
        TKey key, TValue value, StateExpiry expiry = default, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(value);
        Check(expiry);
        var revision = await memory.UpdateAsync(key, new PutValue<TValue>(value), cancellationToken)
            .ConfigureAwait(false);
        await SettleAsync(key, RequestOf(key, revision, Lineage.Blind.Id), cancellationToken).ConfigureAwait(false);
        return new StateVersion(revision);
    }

    public async ValueTask<StateVersion?> PutIfVersionAsync(
        TKey key,
        TValue value,
        StateVersion version,
        StateExpiry expiry = default,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(value);
        Check(expiry);
        while (true)
        {
            var put = new PutIfRevision<TValue>(value, version.Value);
            var answer = await memory.UpdateAsync(key, put, cancellationToken).ConfigureAwait(false);
            if (answer.Outcome == WriteOutcome.Written)
            {
                await SettleAsync(key, RequestOf(key, answer.Revision, answer.LineageId), cancellationToken)
                    .ConfigureAwait(false);
                return new StateVersion(answer.Revision);
            }

            if (answer.Outcome == WriteOutcome.Refused)
            {
                if (answer.IsMarkerLeft)
                    await DropMarkerAsync(key).ConfigureAwait(false);
                return null;
            }

            await LoadOrMarkAsync(key, cancellationToken).ConfigureAwait(false);
        }
    }

    public async ValueTask<bool> RemoveAsync(TKey key, CancellationToken cancellationToken = default)
    {
        while (true)
        {
            var answer = await memory.UpdateAsync(key, new RemoveValue<TValue>(), cancellationToken)
                .ConfigureAwait(false);
            if (answer.Outcome == WriteOutcome.Refused)
                return false;
            if (answer.Outcome == WriteOutcome.Written)
            {
                var request = RequestOf(key, answer.Revision, answer.LineageId, isRemoval: true);
                await SettleAsync(key, request, cancellationToken).ConfigureAwait(false);
                return true;
            }

            if (await LoadAsync(key, cancellationToken).ConfigureAwait(false) is null)
                return false;
        }
    }

    // A read starts the window of the time in memory anew; a touch of the record could also let it go before the
    // storage has it.
    public async ValueTask<bool> TouchAsync(
        TKey key, StateExpiry expiry = default, CancellationToken cancellationToken = default)
    {
        Check(expiry);
        return await FindAsync(key, cancellationToken).ConfigureAwait(false) is not null;
    }

    public async ValueTask<TResult> UpdateAsync<TResult>(
        TKey key, IStateOperation<TValue, TResult> operation, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(operation);
        var wrapper = settings.WrapperOf(operation);
        while (true)
        {
            var answer = await memory.UpdateAsync(key, wrapper.Wrap(operation), cancellationToken)
                .ConfigureAwait(false);
            if (answer.IsNotInMemory)
            {
                await LoadOrMarkAsync(key, cancellationToken).ConfigureAwait(false);
                continue;
            }

            if (answer.Revision != 0)
            {
                var request = RequestOf(key, answer.Revision, answer.LineageId, answer.IsRemoval);
                await SettleAsync(key, request, cancellationToken).ConfigureAwait(false);
            }
            else if (answer.IsMarkerLeft)
                await DropMarkerAsync(key).ConfigureAwait(false);
            return answer.Result!;
        }
    }

    private static async IAsyncEnumerable<StateRecord<TKey, TValue>> ValuesOf(
        IAsyncEnumerable<StateRecord<TKey, Stored<TValue>>> records)
    {
        await foreach (var record in records.ConfigureAwait(false))
        {
            if (!record.Value.IsRemoved)
                yield return new(record.Key, record.Value.Value!, new StateVersion(record.Value.Revision));
        }
    }

    private void Check(StateExpiry expiry)
    {
        if (expiry == StateExpiry.Default || expiry == StateExpiry.Never)
            return;
        throw new ArgumentException(
            $"State '{Name}': an expiry of '{expiry}' cannot be kept, because a stored state keeps its values until "
            + "they are removed. Leave the expiry out; KeepInMemory says how long a value stays in memory.",
            nameof(expiry));
    }

    /// <summary>Finds the value in memory, or loads it. Null: there is none.</summary>
    private async ValueTask<Stored<TValue>?> FindAsync(TKey key, CancellationToken cancellationToken)
    {
        var found = await memory.GetAsync(key, cancellationToken).ConfigureAwait(false)
            ?? await LoadAsync(key, cancellationToken).ConfigureAwait(false);
        return found is { IsRemoved: false } ? found : null;
    }

    /// <summary>Loads a value into memory, once in the cluster. Null: neither memory nor storage has
    /// something.</summary>
    private ValueTask<Stored<TValue>?> LoadAsync(TKey key, CancellationToken cancellationToken) =>
        memory.GetOrAddAsync(key, LoadRecordAsync, default, cancellationToken);

    private async ValueTask<Stored<TValue>?> LoadRecordAsync(TKey key, CancellationToken cancellationToken) =>
        await storage.LoadAsync(key, cancellationToken).ConfigureAwait(false) is { IsRemoved: false } record
            ? Stored<TValue>.From(record)
            : null;

    // A write that depends on what is there needs a record in memory. A flag in the write that the storage has nothing
    // could be outdated when the write runs: its partition may have been lost meanwhile, with the value that somebody
    // has stored in between. A record is lost with its partition, and the write then finds that nothing is known.
    private async ValueTask LoadOrMarkAsync(TKey key, CancellationToken cancellationToken) =>
        await memory.GetOrAddAsync(key, LoadRecordOrMarkerAsync, default, cancellationToken).ConfigureAwait(false);

    private async ValueTask<Stored<TValue>?> LoadRecordOrMarkerAsync(TKey key, CancellationToken cancellationToken)
    {
        var record = await storage.LoadAsync(key, cancellationToken).ConfigureAwait(false);
        return record is { IsRemoved: false } ? Stored<TValue>.From(record) : Stored<TValue>.Marker(record);
    }

    private async ValueTask DropMarkerAsync(TKey key)
    {
        try
        {
            await memory.UpdateAsync(key, new DropMarker<TValue>(), CancellationToken.None).ConfigureAwait(false);
        }
        catch (StateException)
        {
            // The next scan of the owner drops it.
        }
    }

    private async ValueTask<Stored<TValue>?> LoadOrMakeAsync(
        TKey key, Func<TKey, CancellationToken, ValueTask<TValue?>> load, CancellationToken cancellationToken)
    {
        var record = await storage.LoadAsync(key, cancellationToken).ConfigureAwait(false);
        if (record is { IsRemoved: false })
            return Stored<TValue>.From(record);
        if (await load(key, cancellationToken).ConfigureAwait(false) is not { } made)
            return null;
        var stored = record?.Revision ?? 0;
        return new Stored<TValue>
        {
            Value = made,
            IsDirty = true,
            Revision = Math.Max(stored + 1, time.GetUtcNow().UtcTicks),
            Lineage = Lineage.Loaded(stored),
        };
    }

    private FlushRequest RequestOf(TKey key, long revision, long lineageId, bool isRemoval = false) => new()
    {
        State = Name,
        Key = settings.Keys.WriteKey(key),
        Revision = revision,
        LineageId = lineageId,
        IsRemoval = isRemoval,
    };

    /// <summary>Tells the owner's writer of a write, and waits as long as the state's writes do.</summary>
    private async ValueTask SettleAsync(TKey key, FlushRequest request, CancellationToken cancellationToken)
    {
        var failure = settings.Writes == StorageWrites.Behind
            ? await writer.NoteAsync(key, request, cancellationToken).ConfigureAwait(false)
            : await writer.FlushAsync(key, request, cancellationToken).ConfigureAwait(false);
        if (failure is null)
            return;
        throw new StateStorageException(
            $"State '{Name}': the cluster has the value, the storage does not yet: {failure} The value is stored as "
            + "soon as the storage answers.");
    }
}
