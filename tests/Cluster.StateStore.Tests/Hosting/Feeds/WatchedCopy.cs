using Cluster.StateStore.Changes;
using Cluster.StateStore.Hosting;

namespace Cluster.StateStore.Tests.Hosting.Feeds;

/// <summary>A copy of a state that follows its changes, as a user would keep it. Its values are replaced as a whole, so
/// that tests read them while it works.</summary>
internal sealed class WatchedCopy<TKey, TValue> : IAsyncDisposable
    where TKey : notnull
{
    private readonly StateClient<TKey, TValue> _state;
    private readonly ConcurrentDictionary<TKey, (long Version, TValue? Value, bool Exists)> _values = new();
    private readonly ConcurrentQueue<StateChange<TKey, TValue>> _changes = new();
    private readonly CancellationTokenSource _ended = new();
    private readonly Task _run;

    public WatchedCopy(StateClient<TKey, TValue> state)
    {
        _state = state;
        _run = RunAsync();
    }

    public int BeganCount => _changes.Count(change => change.Kind == StateChangeKind.Began);

    public int ChangeCount => _changes.Count;

    public IReadOnlyDictionary<TKey, TValue?> Values =>
        _values.Where(pair => pair.Value.Exists).ToDictionary(pair => pair.Key, pair => pair.Value.Value);

    public StateChangeKind[] KindsOf(TKey key) =>
        [.. _changes.Where(change => change.Kind != StateChangeKind.Began && Equals(change.Key, key)).Select(one => one.Kind)];

    public async ValueTask DisposeAsync()
    {
        await _ended.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => _run);
        _ended.Dispose();
    }

    private async Task RunAsync()
    {
        await foreach (var change in _state.WatchAsync(_ended.Token))
        {
            if (change.Kind == StateChangeKind.Began)
                await ReadAsync(change.Partition);
            else
                Set(change.Key!, change.Version.Value, change.Value, change.Kind == StateChangeKind.Stored);
            _changes.Enqueue(change);
        }
    }

    private async Task ReadAsync(PartitionId partition)
    {
        var known = _values.Keys.Where(key => _state.FindPartition(key) == partition).ToHashSet();
        await foreach (var record in _state.ScanPartitionAsync(partition, _ended.Token))
        {
            known.Remove(record.Key);
            Set(record.Key, record.Version.Value, record.Value, exists: true);
        }

        foreach (var key in known)
            _values[key] = (_values[key].Version, default, false);
    }

    // A scan may have seen what a change tells later.
    private void Set(TKey key, long version, TValue? value, bool exists)
    {
        if (!_values.TryGetValue(key, out var known) || known.Version < version)
            _values[key] = (version, value, exists);
    }
}
