using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Records;

namespace Cluster.StateStore.Local;

/// <summary>One partition on this node: its state, its epoch, the index over its records, and the keys that running
/// writes hold. A private lock protects everything; it is held for memory operations only, never while user code
/// runs.</summary>
internal sealed class PartitionStore(PartitionId id, PartitionContext context)
{
    /// <summary>The number of versions in one epoch: about 10^12.</summary>
    public const long VersionsPerEpoch = 1L << 40;

    private readonly Lock _lock = new();
    private readonly KeyHolds _holds = new();
    private readonly PartitionContext _context = context;
    private PartitionContent _content = new PartitionContent(context);
    private TaskCompletionSource? _drained;
    private PartitionState _state;
    private Epoch _epoch;
    private int _life;

    public PartitionId Id { get; } = id;

    public (PartitionState State, Epoch Epoch) Status
    {
        get
        {
            lock (_lock)
                return (_state, _epoch);
        }
    }

    public Guid NodeIncarnation => _context.SelfIncarnation;

    /// <summary>The place of a state in this node's catalog.</summary>
    public int OrdinalOf(StateDefinition state) => _context.Catalog.OrdinalOf(state.Id);

    /// <summary>Reads the record of a key. The caller disposes the record.</summary>
    public StoreResult TryRead(in StateKey key, Epoch epoch, out RecordBuffer? record)
    {
        record = null;
        lock (_lock)
        {
            if (CheckServingNeedsLock(epoch) is { } refusal)
                return refusal;
            record = _content.Read(key, UtcTicks);
            return record is null ? StoreResult.NotFound : StoreResult.Done(record.Record.Version);
        }
    }

    /// <summary>Carries out a write. Waits for a bounded time when an operation holds the key.</summary>
    public ValueTask<StoreResult> WriteAsync(in StateWrite write, Epoch epoch, CancellationToken cancellationToken)
    {
        KeyWaiter? waiter;
        lock (_lock)
        {
            if (CheckServingNeedsLock(epoch) is { } refusal)
                return new(refusal);
            if (!_holds.IsHeld(write.Key.Tag))
                return new(_content.Write(write, UtcTicks));
            _holds.TryHold(write.Key.Tag, out waiter);
        }

        return WriteWhenGrantedAsync(write, waiter, cancellationToken);
    }

    /// <summary>Runs a change by user code while the key is held.</summary>
    public async ValueTask<StoreResult> ChangeAsync(
        RecordChange change, Epoch epoch, CancellationToken cancellationToken)
    {
        KeyWaiter? waiter;
        bool isHeld;
        lock (_lock)
        {
            if (CheckServingNeedsLock(epoch) is { } refusal)
                return refusal;
            isHeld = _holds.TryHold(change.Key.Tag, out waiter);
        }

        if (!isHeld && await WaitAsync(waiter, cancellationToken).ConfigureAwait(false) is { } failure)
            return failure;
        try
        {
            return RunHeld(change);
        }
        finally
        {
            Release(change.Key.Tag);
        }
    }

    /// <summary>Starts to serve with no records, or goes on at a newer epoch with the present records.</summary>
    public void Serve(Epoch epoch)
    {
        lock (_lock)
        {
            ThrowIfStaleNeedsLock(epoch);
            if (_state == PartitionState.Serving && epoch == _epoch)
                return;
            if (_state == PartitionState.Sealed && epoch == _epoch)
                throw NotHeld("is sealed; unseal it to serve again at the same epoch");
            ServeNeedsLock(epoch);
        }
    }

    /// <summary>Starts to serve the records that another node has sent.</summary>
    public void ServeStaged(Epoch epoch, PartitionStaging staging)
    {
        lock (_lock)
        {
            ThrowIfStaleNeedsLock(epoch);
            if (_state != PartitionState.Absent)
                throw NotHeld($"is {_state}; only an absent partition can take staged records");
            staging.Content.RaiseVersion(_content.LastVersion);
            _content = staging.Content;
            ServeNeedsLock(epoch);
        }
    }

    /// <summary>Stops to answer at once, then waits until the running writes have ended.</summary>
    public async ValueTask SealAsync(CancellationToken cancellationToken)
    {
        Task drained;
        lock (_lock)
        {
            if (_state is not (PartitionState.Serving or PartitionState.Sealed))
                throw NotHeld($"is {_state}; it cannot be sealed");
            drained = SealNeedsLockAsync();
        }

        try
        {
            await drained.WaitAsync(_context.MaxSealWait, _context.Time, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            throw new StateBusyException(
                $"Partition {Id} is sealed, but an operation still runs after {_context.MaxSealWait.TotalSeconds} s.");
        }
    }

    public void Unseal()
    {
        lock (_lock)
        {
            if (_state != PartitionState.Sealed)
                throw NotHeld($"is {_state}; only a sealed partition can be unsealed");
            _state = PartitionState.Serving;
            _drained = null;
        }
    }

    /// <summary>Forgets the records and frees their memory. A write that still runs finds nothing to change.</summary>
    public void Drop()
    {
        PartitionContent dropped;
        lock (_lock)
        {
            _holds.RefuseWaiters();
            _state = PartitionState.Absent;
            _life++;
            dropped = _content;
            _content = new PartitionContent(_context);
            _content.RaiseVersion(dropped.LastVersion);
        }

        // Outside the lock: a big partition takes a while, and no other thread can reach these records any more.
        dropped.FreeAll();
    }

    /// <summary>The records of a sealed partition that no write changes any more.</summary>
    public PartitionExport OpenExport()
    {
        lock (_lock)
        {
            if (_state != PartitionState.Sealed || _holds.Count != 0)
                throw NotHeld($"is {_state}; only a sealed one can be sent");
            return new PartitionExport(this, _epoch, _life, _content);
        }
    }

    /// <summary>The clock by which the expiry of this partition's records is measured, as a UTC tick.</summary>
    public long ClockTicks
    {
        get
        {
            lock (_lock)
                return _content.ClockAt(UtcTicks);
        }
    }

    /// <summary>Reads the next record of an export. Null: the slot is free, or its record has expired.</summary>
    public RecordBuffer? ReadExported(int life, int position)
    {
        lock (_lock)
        {
            if (life != _life || _state != PartitionState.Sealed)
                throw NotHeld("was taken back while it was sent");
            return _content.ReadAt(position, UtcTicks);
        }
    }

    /// <summary>Frees expired records in some slots. Returns how many slots it visited and how many records it
    /// freed.</summary>
    public (int Looked, int Freed) Sweep(int slotsMax)
    {
        lock (_lock)
        {
            // A sealed partition is being sent: its slots must stay where they are.
            return _state == PartitionState.Serving ? _content.Sweep(slotsMax, UtcTicks, _holds) : default;
        }
    }

    /// <summary>The number of slots that a sweep of the whole partition visits.</summary>
    public int SweepPositions
    {
        get
        {
            lock (_lock)
                return _state == PartitionState.Serving ? _content.Positions : 0;
        }
    }

    public PartitionStatistics GetStatistics()
    {
        lock (_lock)
            return new PartitionStatistics(Id, _state, _epoch, _content.Count, _content.Bytes);
    }

    public void AddEntryCounts(Span<long> byOrdinal)
    {
        lock (_lock)
            _content.AddEntryCounts(byOrdinal);
    }

    private long UtcTicks => _context.Time.GetUtcNow().UtcTicks;

    private StoreResult? CheckServingNeedsLock(Epoch epoch)
    {
        if (_state == PartitionState.Serving && epoch == _epoch)
            return null;
        return epoch < _epoch && _state == PartitionState.Serving ? StoreResult.Moved : StoreResult.NotReady;
    }

    private async ValueTask<StoreResult> WriteWhenGrantedAsync(
        StateWrite write, KeyWaiter? waiter, CancellationToken cancellationToken)
    {
        if (await WaitAsync(waiter, cancellationToken).ConfigureAwait(false) is { } failure)
            return failure;
        try
        {
            lock (_lock)
                return _state == PartitionState.Serving ? _content.Write(write, UtcTicks) : StoreResult.NotReady;
        }
        finally
        {
            Release(write.Key.Tag);
        }
    }

    private async ValueTask<StoreResult?> WaitAsync(KeyWaiter? waiter, CancellationToken cancellationToken)
    {
        if (waiter is null)
            return StoreResult.Busy;
        var grant = await waiter.WaitAsync(_context.MaxKeyWait, _context.Time, cancellationToken).ConfigureAwait(false);
        return grant switch
        {
            KeyGrant.Granted => null,
            KeyGrant.Refused => StoreResult.NotReady,
            _ => StoreResult.Busy,
        };
    }

    private StoreResult RunHeld(RecordChange change)
    {
        RecordBuffer? present;
        OperationContext context;
        int life;
        lock (_lock)
        {
            if (_state != PartitionState.Serving)
                return StoreResult.NotReady;
            life = _life;
            var now = _content.TimeAt(UtcTicks);
            present = _content.Read(change.Key, UtcTicks);
            context = new OperationContext(new DateTimeOffset(now, TimeSpan.Zero), _context.NextSeed());
        }

        using (present)
        {
            using var record = OperationScope.Run(change, present, context);
            lock (_lock)
                return life == _life ? _content.Commit(change, record, present, UtcTicks) : StoreResult.NotReady;
        }
    }

    private void Release(uint tag)
    {
        lock (_lock)
        {
            _holds.Release(tag);
            if (_holds.Count == 0)
                _drained?.TrySetResult();
        }
    }

    // The seal is in force at once; the task completes when the last running write has ended.
    private Task SealNeedsLockAsync()
    {
        _state = PartitionState.Sealed;
        _holds.RefuseWaiters();
        if (_holds.Count == 0)
            return Task.CompletedTask;
        _drained ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        return _drained.Task;
    }

    private void ServeNeedsLock(Epoch epoch)
    {
        _state = PartitionState.Serving;
        _epoch = epoch;
        _drained = null;
        _content.RaiseVersion(checked(epoch.Value * VersionsPerEpoch));
    }

    private void ThrowIfStaleNeedsLock(Epoch epoch)
    {
        if (epoch < _epoch)
            throw new StaleEpochException(Id, epoch, _epoch);
    }

    private NotOwnerException NotHeld(string why)
    {
        var route = _context.View.RouteOf(Id);
        return new NotOwnerException(Id, route.Owner?.Node, route.Entry.Epoch, $"Partition {Id} {why}.");
    }
}
