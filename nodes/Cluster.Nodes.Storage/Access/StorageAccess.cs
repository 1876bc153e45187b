using Cluster.Nodes.Storage.Settings;
using Cluster.StateStore;

namespace Cluster.Nodes.Storage.Access;

/// <summary>Reads and writes the storage of one state, within a time for each request, and turns each failure into a
/// <see cref="StateStorageException"/>. Immutable but for what it counts.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
internal sealed class StorageAccess<TKey, TValue>(
    StoredStateSettings<TKey, TValue> settings,
    IStateStorage<TKey, TValue> storage,
    StorageHealth health,
    TimeProvider time)
    where TKey : notnull
{
    /// <summary>The clock.</summary>
    public TimeProvider Time => time;

    public async ValueTask<StorageRecord<TValue>?> LoadAsync(TKey key, CancellationToken cancellationToken)
    {
        try
        {
            var record = await RunAsync(token => storage.LoadAsync(key, token), cancellationToken)
                .ConfigureAwait(false);
            health.LoadSucceeded();
            return record;
        }
        catch (Exception failure) when (IsFailure(failure, cancellationToken))
        {
            var reason = Describe(failure);
            health.LoadFailed(reason);
            throw new StateStorageException(
                $"State '{settings.Name}': the storage cannot be read: {reason} Nothing has changed; try again.",
                failure);
        }
    }

    /// <summary>Stores a record. Returns the revision that the storage has afterwards.</summary>
    public async ValueTask<long> StoreAsync(
        TKey key, StorageRecord<TValue> record, CancellationToken cancellationToken)
    {
        try
        {
            var revision = await RunAsync(token => storage.StoreAsync(key, record, token), cancellationToken)
                .ConfigureAwait(false);
            if (revision < record.Revision)
            {
                throw new InvalidOperationException(
                    $"The storage answered revision {revision} to a store of revision {record.Revision}, but the "
                    + "answer must be that or a greater one; correct its StoreAsync.");
            }

            health.StoreSucceeded();
            return revision;
        }
        catch (Exception failure) when (IsFailure(failure, cancellationToken))
        {
            var reason = Describe(failure);
            health.StoreFailed(reason);
            throw new StateStorageException(reason, failure);
        }
    }

    // A storage may ignore its token; the revision makes a store harmless that ends after its time.
    private async Task<T> RunAsync<T>(
        Func<CancellationToken, ValueTask<T>> request, CancellationToken cancellationToken)
    {
        using var budget = new CancellationTokenSource(settings.StorageTimeout, time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(budget.Token, cancellationToken);
        return await request(ended.Token).AsTask().WaitAsync(ended.Token).ConfigureAwait(false);
    }

    private static bool IsFailure(Exception failure, CancellationToken cancellationToken) =>
        failure is not OutOfMemoryException
        && !(failure is OperationCanceledException && cancellationToken.IsCancellationRequested);

    private string Describe(Exception failure) => failure is OperationCanceledException
        ? $"it did not answer within {settings.StorageTimeout} (StorageTimeout)."
        : failure.Message.EndsWith('.') ? failure.Message : $"{failure.Message}.";
}
