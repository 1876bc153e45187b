using System.Diagnostics.CodeAnalysis;
using Cluster.Glue.Calls;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Links;

/// <summary>
/// Sends what is too large for one batch in chunks, each transfer in its turn, over a lane that small calls do not
/// use. No more of it lies on the lane than keeps it busy; the rest waits in the bodies themselves. Protected by one
/// lock; one pump runs at a time.
/// </summary>
internal sealed class BulkSender(LaneWriter writer, LinkSettings settings) : IThreadPoolWorkItem
{
    // What has not been received yet: enough for a gigabyte per second over some milliseconds of round trip.
    private const long HeldBytesMax = 4 * 1024 * 1024;

    private readonly Lock _gate = new();
    private readonly BulkPace _pace = new(settings.Time);
    private readonly Queue<BulkTrain> _active = new();
    private readonly Queue<BulkTrain> _waiting = new();
    private readonly Dictionary<object, BulkTrain> _ordered = [];
    private readonly TransferRoom _room = new(settings);
    private BulkTrain? _current;
    private ulong _lastId;
    private long _queuedBytes;
    private int _orderedCount;
    private bool _isPumping;
    private bool _takesCalls = true;
    private bool _isClosed;
    private TaskCompletionSource? _queueRoom;
    private TaskCompletionSource? _idle;

    /// <summary>Something small is sent beside.</summary>
    public void NoteSmall() => _pace.NoteSmall();

    /// <summary>Bytes of bodies that have not been handed to the lane completely.</summary>
    public long QueuedBytes => Volatile.Read(ref _queuedBytes);

    /// <summary>Calls of some proxies have to follow on this lane.</summary>
    public bool HasOrder => Volatile.Read(ref _orderedCount) > 0;

    /// <summary>
    /// Whether what this proxy sends now has to follow what it sent over the bulk lane and has not arrived there yet.
    /// </summary>
    public bool MustFollow(object proxy)
    {
        lock (_gate)
        {
            if (!_ordered.TryGetValue(proxy, out BulkTrain? train))
                return false;
            if (!IsOverNeedsLock(train))
                return true;
            _ordered.Remove(proxy);
            _orderedCount = _ordered.Count;
            return false;
        }
    }

    /// <summary>Queues an envelope. The body is released when it is not needed any more, unless it was not
    /// queued.</summary>
    /// <param name="transfer">The envelope.</param>
    /// <param name="proxy">Not null: what this proxy sends afterwards follows, and this what it sent before.</param>
    /// <param name="queuedBytesMax">The bound of the queue; answers have none of their own.</param>
    public StartResult TrySend(OutgoingTransfer transfer, object? proxy, long queuedBytesMax = long.MaxValue)
    {
        lock (_gate)
        {
            if (_isClosed || (transfer.IsFirst && !_takesCalls))
                return StartResult.NotConnected;
            if (_queuedBytes > queuedBytesMax)
                return StartResult.BulkFull;
            BulkTrain train = TrainOfNeedsLock(proxy);
            if (train.IsEmpty)
                _waiting.Enqueue(train);
            train.Add(transfer);
            _queuedBytes += transfer.Bytes;
            if (_isPumping)
                return StartResult.Started;
            _isPumping = true;
        }

        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        return StartResult.Started;
    }

    /// <summary>What is called from now on would come after the goodbye.</summary>
    public void EndCalls()
    {
        lock (_gate)
            _takesCalls = false;
    }

    /// <summary>Nobody waits for these any more.</summary>
    public void Abandon(Predicate<OutgoingTransfer> isMeant)
    {
        lock (_gate)
        {
            IEnumerable<BulkTrain> trains = _active.Concat(_waiting);
            foreach (BulkTrain train in _current is null ? trains : trains.Append(_current))
            {
                foreach (OutgoingTransfer transfer in train.All)
                    transfer.IsAbandoned |= isMeant(transfer);
            }
        }
    }

    /// <summary>Forgets the order of proxies whose transfers have arrived. Called by the link's clock.</summary>
    public void Beat()
    {
        if (!HasOrder)
            return;
        lock (_gate)
        {
            foreach ((object proxy, BulkTrain train) in _ordered)
            {
                if (IsOverNeedsLock(train))
                    _ordered.Remove(proxy);
            }

            _orderedCount = _ordered.Count;
        }
    }

    /// <summary>Completes when the queue has fallen to half its bound, or is closed.</summary>
    public Task WaitForRoomAsync()
    {
        lock (_gate)
        {
            if (_isClosed || _queuedBytes <= settings.SendQueueBytesMax / 2)
                return Task.CompletedTask;
            _queueRoom ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _queueRoom.Task;
        }
    }

    /// <summary>Completes when all was handed to the lane, or the sender is closed.</summary>
    public Task WaitUntilIdleAsync()
    {
        lock (_gate)
        {
            if (_isClosed || !_isPumping)
                return Task.CompletedTask;
            _idle ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _idle.Task;
        }
    }

    /// <summary>Drops what is queued and refuses more.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            foreach (BulkTrain train in _active.Concat(_waiting))
                DropNeedsLock(train);
            _active.Clear();
            _waiting.Clear();
            _ordered.Clear();
            _orderedCount = 0;
            _queueRoom?.TrySetResult();
            _idle?.TrySetResult();
        }
    }

    public void Execute() => _ = PumpAsync();

    private async Task PumpAsync()
    {
        while (TryTakeTurn(out OutgoingTransfer? transfer))
        {
            StartResult result = transfer.TryAppend(
                writer, HeldBytesMax, ref _lastId, settings.Time, out bool isDone);
            if (result == StartResult.QueueFull)
                await writer.WaitUntilHeldAsync(HeldBytesMax / 2).ConfigureAwait(false);
            else
                EndTurn(transfer, isDone);
            await _pace.WaitAsync().ConfigureAwait(false);
        }
    }

    /// <summary>The transfer whose turn it is: the one that found the lane full, or the next.</summary>
    private bool TryTakeTurn([NotNullWhen(true)] out OutgoingTransfer? transfer)
    {
        transfer = null;
        lock (_gate)
        {
            if (_isClosed)
            {
                if (_current is not null)
                    DropNeedsLock(_current);
                _current = null;
                return false;
            }

            if (_current is null && !TryTakeTrainNeedsLock(out _current))
            {
                _isPumping = false;
                _idle?.TrySetResult();
                _idle = null;
                return false;
            }

            transfer = _current.First;
            return true;
        }
    }

    private bool TryTakeTrainNeedsLock([NotNullWhen(true)] out BulkTrain? train)
    {
        while (_active.Count < GlueWire.TransfersMax && _waiting.TryDequeue(out BulkTrain? waiting))
            _active.Enqueue(waiting);
        // Who finds no room goes to the end of the queue. What is under way gives it back, so somebody has his turn.
        while (_active.TryDequeue(out train))
        {
            if (train.First.TryTakeRoom(_room))
                return true;
            _active.Enqueue(train);
        }

        return false;
    }

    private void EndTurn(OutgoingTransfer transfer, bool isDone)
    {
        lock (_gate)
        {
            BulkTrain train = _current!;
            // Closed meanwhile: the next turn drops it.
            if (_isClosed)
                return;
            _current = null;
            if (isDone)
            {
                train.RemoveFirst();
                train.LastBatch = writer.LastBatch;
                EndNeedsLock(transfer);
            }

            if (!train.IsEmpty)
                _active.Enqueue(train);
        }
    }

    private BulkTrain TrainOfNeedsLock(object? proxy)
    {
        if (proxy is null)
            return new BulkTrain();
        if (_ordered.TryGetValue(proxy, out BulkTrain? train))
            return train;
        train = new BulkTrain();
        _ordered.Add(proxy, train);
        _orderedCount = _ordered.Count;
        return train;
    }

    private bool IsOverNeedsLock(BulkTrain train)
        => train.IsEmpty && train != _current && writer.IsReceived(train.LastBatch);

    private void EndNeedsLock(OutgoingTransfer transfer)
    {
        transfer.GiveRoomBack(_room);
        transfer.Release();
        _queuedBytes -= transfer.Bytes;
        if (_queueRoom is null || _queuedBytes > settings.SendQueueBytesMax / 2)
            return;
        _queueRoom.TrySetResult();
        _queueRoom = null;
    }

    private static void DropNeedsLock(BulkTrain train)
    {
        while (!train.IsEmpty)
        {
            train.First.Release();
            train.RemoveFirst();
        }
    }
}
