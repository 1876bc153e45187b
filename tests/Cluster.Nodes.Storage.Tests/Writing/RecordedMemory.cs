using Cluster.Nodes.Storage.Values;
using Cluster.StateStore;
using Cluster.StateStore.Changes;

namespace Cluster.Nodes.Storage.Tests.Writing;

/// <summary>The memory of one node, which notes with what expiry its records are touched. A lock protects the records
/// and the notes.</summary>
internal sealed class RecordedMemory(TimeProvider time) : IPartitionedState<string, Stored<Account>>
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, Stored<Account>> _records = [];
    private readonly List<StateExpiry> _touches = [];

    public string Name => "accounts";

    /// <summary>What a touch throws; null: nothing.</summary>
    public Exception? TouchFailure { get; set; }

    /// <summary>The touches of all keys, the oldest first.</summary>
    public IReadOnlyList<StateExpiry> Touches
    {
        get
        {
            lock (_lock)
                return [.. _touches];
        }
    }

    public ValueTask<Stored<Account>?> GetAsync(string key, CancellationToken cancellationToken = default)
    {
        lock (_lock)
            return new(_records.GetValueOrDefault(key));
    }

    public ValueTask<bool> TouchAsync(
        string key, StateExpiry expiry = default, CancellationToken cancellationToken = default)
    {
        if (TouchFailure is not null)
            throw TouchFailure;
        lock (_lock)
        {
            _touches.Add(expiry);
            return new(_records.ContainsKey(key));
        }
    }

    public ValueTask<TResult> UpdateAsync<TResult>(
        string key,
        IStateOperation<Stored<Account>, TResult> operation,
        CancellationToken cancellationToken = default)
    {
        lock (_lock)
        {
            var record = _records.GetValueOrDefault(key);
            var result = operation.Apply(ref record, new OperationContext(time.GetUtcNow(), Seed: 1));
            if (record is null)
                _records.Remove(key);
            else
                _records[key] = record;
            return new(result);
        }
    }

    public async IAsyncEnumerable<StateRecord<string, Stored<Account>>> ScanPartitionAsync(
        PartitionId partition, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await Task.CompletedTask;
        KeyValuePair<string, Stored<Account>>[] records;
        lock (_lock)
            records = [.. _records];
        foreach (var (key, record) in records)
            yield return new(key, record, new StateVersion(record.Revision));
    }

    public ValueTask<StateEntry<Stored<Account>>?> GetWithVersionAsync(
        string key, CancellationToken cancellationToken = default) => throw new NotSupportedException();

    public ValueTask<IReadOnlyDictionary<string, StateEntry<Stored<Account>>>> GetManyAsync(
        IEnumerable<string> keys, CancellationToken cancellationToken = default) => throw new NotSupportedException();

    public IAsyncEnumerable<StateRecord<string, Stored<Account>>> ScanAsync(
        CancellationToken cancellationToken = default) => throw new NotSupportedException();

    public IAsyncEnumerable<string> ScanKeysAsync(CancellationToken cancellationToken = default) =>
        throw new NotSupportedException();

    public ValueTask<Stored<Account>?> GetOrAddAsync(
        string key,
        Func<string, CancellationToken, ValueTask<Stored<Account>?>> load,
        StateExpiry expiry = default,
        CancellationToken cancellationToken = default) => throw new NotSupportedException();

    public IAsyncEnumerable<StateChange<string, Stored<Account>>> WatchAsync(
        CancellationToken cancellationToken = default) => throw new NotSupportedException();

    public ValueTask<StateVersion> PutAsync(
        string key,
        Stored<Account> value,
        StateExpiry expiry = default,
        CancellationToken cancellationToken = default) => throw new NotSupportedException();

    public ValueTask<StateVersion?> PutIfVersionAsync(
        string key,
        Stored<Account> value,
        StateVersion version,
        StateExpiry expiry = default,
        CancellationToken cancellationToken = default) => throw new NotSupportedException();

    public ValueTask<bool> RemoveAsync(string key, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException();
}
