using Cluster.Contracts;
using Cluster.Nodes.AspNetCore.Caching;
using Cluster.StateStore;
using Cluster.StateStore.Changes;

namespace Cluster.Nodes.AspNetCore.Tests.Caching;

/// <summary>A state with one value that notes its calls. Used by one thread.</summary>
internal sealed class RecordingState : IPartitionedState<string, CachedValue>
{
    private long _version;

    public string Name => "cache";

    /// <summary>The calls, as the tests compare them.</summary>
    public List<string> Calls { get; } = [];

    public StateEntry<CachedValue>? Entry { get; private set; }

    /// <summary>Runs before a conditional write is decided.</summary>
    public Action? BeforeConditionalWrite { get; set; }

    public void Store(CachedValue value) => Entry = new(value, new StateVersion(++_version));

    public ValueTask<StateEntry<CachedValue>?> GetWithVersionAsync(
        string key, CancellationToken cancellationToken = default)
    {
        Calls.Add("get");
        return new(Entry);
    }

    public ValueTask<StateVersion> PutAsync(
        string key, CachedValue value, StateExpiry expiry = default, CancellationToken cancellationToken = default)
    {
        Calls.Add($"put {expiry}");
        Store(value);
        return new(Entry!.Value.Version);
    }

    public ValueTask<StateVersion?> PutIfVersionAsync(
        string key,
        CachedValue value,
        StateVersion version,
        StateExpiry expiry = default,
        CancellationToken cancellationToken = default)
    {
        Calls.Add($"put if {expiry}");
        BeforeConditionalWrite?.Invoke();
        if (Entry?.Version != version)
            return new((StateVersion?)null);
        Store(value);
        return new(Entry!.Value.Version);
    }

    public ValueTask<bool> RemoveAsync(string key, CancellationToken cancellationToken = default)
    {
        Calls.Add("remove");
        Entry = null;
        return new(true);
    }

    public ValueTask<CachedValue> GetAsync(string key, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException();

    public ValueTask<IReadOnlyDictionary<string, StateEntry<CachedValue>>> GetManyAsync(
        IEnumerable<string> keys, CancellationToken cancellationToken = default) => throw new NotSupportedException();

    public IAsyncEnumerable<StateRecord<string, CachedValue>> ScanPartitionAsync(
        PartitionId partition, CancellationToken cancellationToken = default) => throw new NotSupportedException();

    public IAsyncEnumerable<StateRecord<string, CachedValue>> ScanAsync(
        CancellationToken cancellationToken = default) => throw new NotSupportedException();

    public IAsyncEnumerable<string> ScanKeysAsync(CancellationToken cancellationToken = default) =>
        throw new NotSupportedException();

    public ValueTask<CachedValue> GetOrAddAsync(
        string key,
        Func<string, CancellationToken, ValueTask<CachedValue>> load,
        StateExpiry expiry = default,
        CancellationToken cancellationToken = default) => throw new NotSupportedException();

    public IAsyncEnumerable<StateChange<string, CachedValue>> WatchAsync(
        CancellationToken cancellationToken = default) => throw new NotSupportedException();

    public ValueTask<bool> TouchAsync(
        string key, StateExpiry expiry = default, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException();

    public ValueTask<TResult> UpdateAsync<TResult>(
        string key,
        IStateOperation<CachedValue, TResult> operation,
        CancellationToken cancellationToken = default) => throw new NotSupportedException();
}
