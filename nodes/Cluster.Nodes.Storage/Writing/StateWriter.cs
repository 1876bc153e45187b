using Cluster.Nodes.Storage.Access;
using Cluster.Nodes.Storage.Settings;
using Cluster.Nodes.Storage.Values;
using Cluster.StateStore;

namespace Cluster.Nodes.Storage.Writing;

/// <summary>Stores the records of one state that the storage does not have: reads the newest record, stores it, and
/// notes in memory that it is stored. All changes of the memory are operations on the owner that name the revision, so
/// a writer on a node that has lost its partitions does no harm. Owned by the container; the queue protects
/// itself.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
internal sealed class StateWriter<TKey, TValue> : IStateWriter, IAsyncDisposable
    where TKey : notnull
{
    // A node that is not the owner any more may read old values for a while, and would store them in vain.
    private const int RoundsMax = 8;

    private static readonly TimeSpan MaxSweepPause = TimeSpan.FromMinutes(10);

    private static readonly FlushReply Lost = new()
    {
        Failure = "the value was lost with its node before the storage had it.",
    };

    private readonly StoredStateSettings<TKey, TValue> _settings;
    private readonly IPartitionedState<TKey, Stored<TValue>> _memory;
    private readonly StorageAccess<TKey, TValue> _storage;
    private readonly ICluster _cluster;
    private readonly TimeProvider _time;
    private readonly WriteQueue _queue;
    private readonly CancellationTokenSource _ended = new();
    private Task _work = Task.CompletedTask;
    private int _isOneMissed;
    private bool _isDisposed;

    public StateWriter(
        StoredStateSettings<TKey, TValue> settings,
        IPartitionedState<TKey, Stored<TValue>> memory,
        StorageAccess<TKey, TValue> storage,
        StorageMetrics metrics,
        ICluster cluster)
    {
        (_settings, _memory, _storage, _cluster, _time) = (settings, memory, storage, cluster, storage.Time);
        _queue = new WriteQueue(settings.MaxWaitingKeys, _time);
        metrics.Watch(settings.Name, () => _queue.Count);
    }

    public string Name => _settings.Name;

    public int WaitingCount => _queue.Count;

    // A writer that dies before it tells this node leaves a value which nothing keeps in memory.
    public TimeSpan SweepPause => _settings.KeepInMemory is { } window && window / 3 < MaxSweepPause
        ? window / 3
        : MaxSweepPause;

    private TimeSpan Delay => _settings.Writes == StorageWrites.Behind ? _settings.WriteDelay : TimeSpan.Zero;

    public void Start() => _work = Task.WhenAll(
        Enumerable.Range(0, _settings.Parallelism).Select(_ => Task.Run(WorkAsync)));

    public async ValueTask<FlushReply> FlushAsync(FlushRequest request, CancellationToken cancellationToken)
    {
        if (FindRefusal(request) is { } refusal)
            return refusal;
        var waiter = new KeyWaiter(request);
        var isNoted = false;
        using var limit = Limit(cancellationToken);
        try
        {
            await _queue.AddAsync(request.Key, TimeSpan.Zero, waiter, limit.Token).ConfigureAwait(false);
            isNoted = true;
            return await waiter.Answer.WaitAsync(limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return isNoted
                ? new FlushReply { Failure = $"it did not have the value after {OwnerWriter<TKey>.TimeLimit}." }
                : NoRoom();
        }
    }

    public async ValueTask<FlushReply> NoteAsync(FlushRequest request, CancellationToken cancellationToken)
    {
        if (FindRefusal(request) is { } refusal)
            return refusal;
        using var limit = Limit(cancellationToken);
        try
        {
            var begins = await _queue.AddAsync(request.Key, Delay, waiter: null, limit.Token).ConfigureAwait(false);
            if (begins && _settings.KeepInMemory is not null)
                await PinAsync(_settings.Keys.ReadKey(request.Key), limit.Token).ConfigureAwait(false);
            return FlushReply.Done;
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return NoRoom();
        }
    }

    public bool TakeMissed() => Interlocked.Exchange(ref _isOneMissed, 0) != 0;

    public async Task ScanAsync(PartitionId partition, CancellationToken cancellationToken)
    {
        await foreach (var record in RecordsOf(partition, cancellationToken).ConfigureAwait(false))
        {
            // A marker stays behind when the process ends that has asked for it.
            if (record.Value.IsMarker)
            {
                await _memory.UpdateAsync(record.Key, new DropMarker<TValue>(), cancellationToken)
                    .ConfigureAwait(false);
            }
            else if (record.Value.IsDirty)
            {
                await _queue.AddFoundAsync(_settings.Keys.WriteKey(record.Key), cancellationToken)
                    .ConfigureAwait(false);
            }
        }
    }

    public async Task<int> CountMissingAsync(PartitionId partition, CancellationToken cancellationToken)
    {
        var count = 0;
        await foreach (var record in RecordsOf(partition, cancellationToken).ConfigureAwait(false))
        {
            if (record.Value.IsDirty)
                count++;
        }

        return count;
    }

    public async Task DrainAsync(CancellationToken cancellationToken)
    {
        try
        {
            await _queue.EmptyAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The caller asks for the count of what is left.
        }
    }

    public async Task StopAsync()
    {
        await _ended.CancelAsync().ConfigureAwait(false);
        await _work.ConfigureAwait(false);
        foreach (var waiter in _queue.TakeWaiters())
            waiter.Complete(FlushReply.Stopping);
    }

    public async ValueTask DisposeAsync()
    {
        if (_isDisposed)
            return;
        _isDisposed = true;
        await StopAsync().ConfigureAwait(false);
        _queue.Dispose();
        _ended.Dispose();
    }

    // A key that moves away while it waits is stored from here all the same. A key that is elsewhere already is not
    // taken: what this node could read of it may be old.
    private FlushReply? FindRefusal(FlushRequest request)
    {
        var key = _settings.Keys.ReadKey(request.Key);
        if (_ended.IsCancellationRequested)
            return FlushReply.Stopping;
        return _cluster.OwnerOf(Name, key)?.Node == _cluster.Self ? null : FlushReply.Elsewhere;
    }

    private FlushReply NoRoom()
    {
        Interlocked.Exchange(ref _isOneMissed, 1);
        return new FlushReply
        {
            Failure = $"{_settings.MaxWaitingKeys} keys (MaxWaitingKeys) wait to be stored, and for "
                + $"{OwnerWriter<TKey>.TimeLimit} there was no room for one more; make the storage faster, or raise "
                + "Parallelism or MaxWaitingKeys.",
        };
    }

    private LimitedWait Limit(CancellationToken cancellationToken) =>
        new(OwnerWriter<TKey>.TimeLimit, _time, cancellationToken);

    private IAsyncEnumerable<StateRecord<TKey, Stored<TValue>>> RecordsOf(
        PartitionId partition, CancellationToken cancellationToken)
    {
        try
        {
            return _memory.ScanPartitionAsync(partition, cancellationToken);
        }
        catch (ArgumentOutOfRangeException)
        {
            // States with another number of backups have partitions of their own.
            return AsyncEnumerable.Empty<StateRecord<TKey, Stored<TValue>>>();
        }
    }

    private async Task WorkAsync()
    {
        try
        {
            await foreach (var key in _queue.TakeAsync(_ended.Token).ConfigureAwait(false))
                await RunAsync(key).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The writer has stopped. What waits is in memory, where the next owner finds it.
        }
    }

    private async Task RunAsync(WaitingKey waiting)
    {
        var waiters = _queue.Begin(waiting);
        var key = _settings.Keys.ReadKey(waiting.Key);
        try
        {
            var record = await StoreAsync(key, waiting).ConfigureAwait(false);
            await UnpinAsync(key, waiting).ConfigureAwait(false);
            foreach (var waiter in waiters)
                waiter.Complete(await JudgeAsync(key, record, waiter.Request).ConfigureAwait(false));
            _queue.End(waiting, Delay);
        }
        catch (Exception failure) when (failure is not OutOfMemoryException)
        {
            foreach (var waiter in waiters)
                waiter.Complete(ReplyFor(failure));
            if (!waiting.IsPinned && _settings.KeepInMemory is not null)
            {
                await PinAsync(key, _ended.Token).ConfigureAwait(false);
                waiting.IsPinned = true;
            }

            _queue.Retry(waiting);
        }
    }

    private FlushReply ReplyFor(Exception failure) => _ended.IsCancellationRequested
        ? FlushReply.Stopping
        : new FlushReply { Failure = failure.Message };

    /// <summary>Brings the storage up to the memory. Returns the record that both have; null: the memory has
    /// nothing.</summary>
    private async ValueTask<Stored<TValue>?> StoreAsync(TKey key, WaitingKey waiting)
    {
        var cancellationToken = _ended.Token;
        for (var round = 0; round < RoundsMax; round++)
        {
            var record = await _memory.GetAsync(key, cancellationToken).ConfigureAwait(false);
            if (record is not { IsDirty: true })
                return record;
            var stored = await _storage.StoreAsync(key, record.ToRecord(), cancellationToken).ConfigureAwait(false);
            if (stored > record.Revision)
            {
                await ResolveAsync(key, waiting, record.Revision, stored).ConfigureAwait(false);
                continue;
            }

            var mark = new MarkStored<TValue>(record.Revision);
            var isNewer = await _memory.UpdateAsync(key, mark, cancellationToken).ConfigureAwait(false);
            if (isNewer)
                await _queue.AddAsync(waiting.Key, Delay, waiter: null, cancellationToken).ConfigureAwait(false);
            return record;
        }

        throw new StateStorageException("another owner of the key stores it at the same time.");
    }

    // A value that was just written wins: it has a lower revision than the storage only if the clocks went back while
    // the key was not in memory. A value that a scan has found is not newer than the storage: the memory comes from an
    // old snapshot.
    private async ValueTask ResolveAsync(TKey key, WaitingKey waiting, long revision, long stored)
    {
        if (waiting.IsFromScan)
        {
            await _memory.UpdateAsync(key, new TakeFromStorage<TValue>(revision), _ended.Token).ConfigureAwait(false);
            return;
        }

        await _memory.UpdateAsync(key, new RaiseRevision<TValue>(revision, stored), _ended.Token)
            .ConfigureAwait(false);
    }

    /// <summary>What a waiter is told after an attempt that has left memory and storage with one record.</summary>
    private async ValueTask<FlushReply> JudgeAsync(TKey key, Stored<TValue>? record, FlushRequest request)
    {
        if (record is { IsMarker: false })
        {
            var isThere = record.Revision >= request.Revision
                && record.Lineage.Includes(request.Revision, request.LineageId);
            return isThere ? FlushReply.Done : Lost;
        }

        // No value is in memory: another attempt has stored a removal, or the value was lost with its node.
        var stored = await _storage.LoadAsync(key, _ended.Token).ConfigureAwait(false);
        var isStored = stored is null ? request.IsRemoval : stored.Revision >= request.Revision;
        return isStored ? FlushReply.Done : Lost;
    }

    // The record must not leave the memory before the storage has it.
    private async ValueTask PinAsync(TKey key, CancellationToken cancellationToken)
    {
        try
        {
            await _memory.TouchAsync(key, StateExpiry.Never, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is not OutOfMemoryException)
        {
            // The key has no owner now. Its next owner finds the record by its scan, long before it would go.
        }
    }

    private async ValueTask UnpinAsync(TKey key, WaitingKey waiting)
    {
        var mayBePinned = waiting.IsPinned || waiting.IsFromScan || _settings.Writes == StorageWrites.Behind;
        if (_settings.KeepInMemory is null || !mayBePinned)
            return;
        await _memory.TouchAsync(key, StateExpiry.Default, _ended.Token).ConfigureAwait(false);
        waiting.IsPinned = false;

        // A write that came after the record was stored has pinned it before.
        if (!_queue.IsNotedAgain(waiting))
            return;
        await PinAsync(key, _ended.Token).ConfigureAwait(false);
        waiting.IsPinned = true;
    }
}
