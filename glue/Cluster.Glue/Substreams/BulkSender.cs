using Cluster.Glue.References;
using Cluster.Glue.Scheduling;
using Cluster.Glue.Settings;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Substreams;

/// <summary>Sends what is too large for one batch in chunks, each transfer in its turn, over a substream that small
/// calls do not use. No more of it lies on the substream than keeps it busy; the rest waits in the bodies themselves. A
/// transfer that finds no room waits in the queue until one that is under way has ended. Protected by one lock, under
/// which nothing is copied or waited for; one pump runs at a time.</summary>
internal sealed class BulkSender(SubstreamWriter writer, LinkSettings settings, ReferenceTable references)
    : IThreadPoolWorkItem
{
    // What has not been received yet: enough for a gigabyte per second over some milliseconds of round trip.
    private const long HeldBytesMax = 4 * 1024 * 1024;

    private readonly Lock _gate = new();
    private readonly BulkPace _pace = new(settings.Time);
    private readonly LinkedList<OrderedTransfers> _active = new();
    private readonly LinkedList<OrderedTransfers> _waiting = new();
    private readonly Dictionary<(ulong CallId, bool IsAnswer), OutgoingTransfer> _byCall = [];
    private readonly Dictionary<object, OrderedTransfers> _ordered = [];
    private readonly TransferRoom _room = new(settings);
    private OutgoingTransfer? _current;
    private ulong _lastId;
    private long _queuedBytes;
    private int _orderedCount;
    private bool _isPumping;
    private bool _takesCalls = true;
    private bool _isClosed;
    private Waiter _queueRoom;
    private Waiter _idle;

    /// <summary>A small envelope is sent on another substream: the pump slows down.</summary>
    public void NoteSmall() => _pace.NoteSmall();

    /// <summary>Bytes of bodies that have not been handed to the substream completely.</summary>
    public long QueuedBytes => Volatile.Read(ref _queuedBytes);

    /// <summary>Calls of some proxies have to follow on this substream.</summary>
    public bool HasOrder => Volatile.Read(ref _orderedCount) > 0;

    /// <summary>Whether what this proxy sends now has to follow what it sent over the bulk substream and has not
    /// arrived there yet.</summary>
    public bool MustFollow(object proxy)
    {
        lock (_gate)
        {
            if (!_ordered.TryGetValue(proxy, out var order))
                return false;
            if (!IsOverNeedsLock(order))
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
            var order = OrderOfNeedsLock(proxy);
            if (order.IsEmpty)
                _waiting.AddLast(order.Node);
            order.Add(transfer);
            if (transfer.CallId != 0)
                _byCall[(transfer.CallId, transfer.IsAnswer)] = transfer;
            _queuedBytes += transfer.Bytes;
            if (_isPumping)
                return StartResult.Started;
            _isPumping = true;
        }

        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        return StartResult.Started;
    }

    /// <summary>Refuses further calls, because Leave follows.</summary>
    public void EndCalls()
    {
        lock (_gate)
            _takesCalls = false;
    }

    /// <summary>Nobody waits for a call any more: what was not sent of it is not sent, or the peer is told behind
    /// it.</summary>
    public void CancelCall(ulong callId)
    {
        if (!TryAbandon((callId, IsAnswer: false)))
            SendCancel(callId);
    }

    /// <summary>Nobody waits for this answer any more.</summary>
    public void AbandonAnswer(ulong callId) => TryAbandon((callId, IsAnswer: true));

    /// <summary>Nobody waits for any call any more.</summary>
    public void AbandonCalls()
    {
        (ulong CallId, bool IsAnswer)[] calls;
        lock (_gate)
            calls = [.. _byCall.Keys.Where(static key => !key.IsAnswer)];
        foreach (var call in calls)
            TryAbandon(call);
    }

    /// <summary>Forgets the order of proxies whose transfers have arrived. Called by the link's clock.</summary>
    public void Beat()
    {
        if (!HasOrder)
            return;
        lock (_gate)
        {
            foreach ((var proxy, var order) in _ordered)
            {
                if (IsOverNeedsLock(order))
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
            if (_isClosed || _queuedBytes <= settings.MaxSendQueueBytes / 2)
                return Task.CompletedTask;
            return _queueRoom.WaitAsync();
        }
    }

    /// <summary>Completes when all was handed to the substream, or the sender is closed.</summary>
    public Task WaitUntilIdleAsync()
    {
        lock (_gate)
        {
            if (_isClosed || !_isPumping)
                return Task.CompletedTask;
            return _idle.WaitAsync();
        }
    }

    /// <summary>Drops what is queued and refuses more.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            foreach (var transfer in _active.Concat(_waiting).SelectMany(order => order.All))
            {
                // The pump may be reading this one.
                if (transfer != _current)
                    transfer.Release();
            }

            _active.Clear();
            _waiting.Clear();
            _byCall.Clear();
            _ordered.Clear();
            _orderedCount = 0;
            _queueRoom.Release();
            _idle.Release();
        }
    }

    public void Execute() => _ = PumpAsync();

    private async Task PumpAsync()
    {
        while (TryTakeTurn(out var transfer))
        {
            var result = transfer.TryAppend(
                writer, HeldBytesMax, ref _lastId, settings.Time, out var isDone);
            if (result == StartResult.QueueFull)
                await writer.WaitUntilHeldAsync(HeldBytesMax / 2).ConfigureAwait(false);
            else if (result == StartResult.NotConnected)
                Close();
            else
                EndTurn(transfer, isDone);
            await _pace.WaitAsync().ConfigureAwait(false);
        }
    }

    /// <summary>The transfer whose turn it is: the one that found the substream full, or the next.</summary>
    private bool TryTakeTurn([NotNullWhen(true)] out OutgoingTransfer? transfer)
    {
        lock (_gate)
        {
            if (_isClosed)
                _current?.Release();
            else
                _current ??= TakeNextNeedsLock();
            transfer = _isClosed ? null : _current;
            if (transfer is not null)
                return true;
            _current = null;
            _isPumping = false;
            _idle.Release();
            return false;
        }
    }

    private OutgoingTransfer? TakeNextNeedsLock()
    {
        // Who finds no room waits, and all behind him: what is under way gives it back when it ends. Where nothing is
        // under way, all room is free.
        while (_active.Count < GlueWire.TransfersMax
            && _waiting.First is { } waiting
            && (waiting.Value.First.TryTakeRoom(_room) || _active.Count == 0))
        {
            _waiting.Remove(waiting);
            _active.AddLast(waiting);
        }

        if (_active.First is not { } next)
            return null;
        // To the end, for its next turn.
        _active.Remove(next);
        _active.AddLast(next);
        return next.Value.First;
    }

    private void EndTurn(OutgoingTransfer transfer, bool isDone)
    {
        bool isCancelDue;
        lock (_gate)
        {
            // Closed meanwhile: the next turn lets it go.
            if (_isClosed)
                return;
            _current = null;
            if (!isDone)
                return;
            // Given up while the last of it was appended: its receiver does not know.
            isCancelDue = transfer is { IsAbandoned: true, IsSent: true, IsAnswer: false };
            transfer.Order!.LastTicket = writer.LastTicket;
            EndNeedsLock(transfer);
        }

        transfer.End(references);
        if (isCancelDue)
            SendCancel(transfer.CallId);
    }

    private void SendCancel(ulong callId) =>
        writer.Append(new EnvelopeHeader { Kind = EnvelopeKind.Cancel, CallId = callId }, default);

    // One that has begun is ended by the pump, because its receiver has to be told.
    private bool TryAbandon((ulong CallId, bool IsAnswer) key)
    {
        OutgoingTransfer? transfer;
        lock (_gate)
        {
            if (!_byCall.TryGetValue(key, out transfer))
                return false;
            transfer.IsAbandoned = true;
            if (transfer == _current || transfer.HasBegun)
                return true;
            EndNeedsLock(transfer);
        }

        transfer.End(references);
        return true;
    }

    private OrderedTransfers OrderOfNeedsLock(object? proxy)
    {
        if (proxy is null)
            return new OrderedTransfers();
        if (_ordered.TryGetValue(proxy, out var order))
            return order;
        order = new OrderedTransfers();
        _ordered.Add(proxy, order);
        _orderedCount = _ordered.Count;
        return order;
    }

    private bool IsOverNeedsLock(OrderedTransfers order) => order.IsEmpty && writer.IsReceived(order.LastTicket);

    private void EndNeedsLock(OutgoingTransfer transfer)
    {
        var order = transfer.Order!;
        var wasFirst = order.First == transfer;
        order.Remove(transfer);
        // The next one of an order waits for room of its own.
        if (wasFirst)
            order.Node.List!.Remove(order.Node);
        if (wasFirst && !order.IsEmpty)
            _waiting.AddLast(order.Node);
        if (transfer.CallId != 0)
            _byCall.Remove((transfer.CallId, transfer.IsAnswer));
        transfer.GiveRoomBack(_room);
        _queuedBytes -= transfer.Bytes;
        if (_queuedBytes <= settings.MaxSendQueueBytes / 2)
            _queueRoom.Release();
    }
}
