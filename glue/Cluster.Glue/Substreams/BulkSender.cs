using Cluster.Glue.References;
using Cluster.Glue.Scheduling;
using Cluster.Glue.Settings;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Substreams;

/// <summary>Sends envelopes that are too large for one batch: in chunks, with the transfers taking turns, over a
/// substream that small calls do not use. Only enough chunks to keep the substream busy are queued on it; the rest
/// stays in the bodies. A transfer without room waits in the queue until another one has ended. Protected by one lock,
/// under which nothing is copied or waited for; one pump runs at a time.</summary>
internal sealed class BulkSender(SubstreamWriter writer, LinkSettings settings, ReferenceTable references)
    : IThreadPoolWorkItem
{
    // Limits the bytes that the peer has not received: enough for a gigabyte per second over some milliseconds of round
    // trip.
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

    /// <summary>Slows the pump down, because a small envelope is sent on another substream.</summary>
    public void NoteSmall() => _pace.NoteSmall();

    /// <summary>Bytes of the bodies that are not yet completely on the substream.</summary>
    public long QueuedBytes => Volatile.Read(ref _queuedBytes);

    /// <summary>Whether calls of some proxies must follow earlier transfers on this substream.</summary>
    public bool HasOrder => Volatile.Read(ref _orderedCount) > 0;

    /// <summary>Whether a call of this proxy must follow on the bulk substream, because an earlier transfer of the
    /// proxy has not arrived yet.</summary>
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

    /// <summary>Queues an envelope. When it is queued, the sender releases the body as soon as it is not needed any
    /// more.</summary>
    /// <param name="transfer">The envelope.</param>
    /// <param name="proxy">The proxy whose transfers are sent in order; null: the transfer has no order.</param>
    /// <param name="queuedBytesMax">The limit of the queue. Answers have no limit here.</param>
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

    /// <summary>Cancels a call that nobody waits for any more: drops what is not sent yet, or sends a Cancel behind the
    /// call.</summary>
    public void CancelCall(ulong callId)
    {
        if (!TryAbandon((callId, IsAnswer: false)))
            SendCancel(callId);
    }

    /// <summary>Drops an answer that the caller no longer waits for.</summary>
    public void AbandonAnswer(ulong callId) => TryAbandon((callId, IsAnswer: true));

    /// <summary>Drops all calls, because nobody waits for them any more.</summary>
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

    /// <summary>Completes when the queue has fallen to half its limit, or the sender is closed.</summary>
    public Task WaitForRoomAsync()
    {
        lock (_gate)
        {
            if (_isClosed || _queuedBytes <= settings.MaxSendQueueBytes / 2)
                return Task.CompletedTask;
            return _queueRoom.WaitAsync();
        }
    }

    /// <summary>Completes when all transfers are on the substream, or the sender is closed.</summary>
    public Task WaitUntilIdleAsync()
    {
        lock (_gate)
        {
            if (_isClosed || !_isPumping)
                return Task.CompletedTask;
            return _idle.WaitAsync();
        }
    }

    /// <summary>Drops all transfers and refuses further ones.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            foreach (var transfer in _active.Concat(_waiting).SelectMany(order => order.All))
            {
                // The pump may be reading the current transfer and releases it later.
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

    /// <summary>Takes the transfer that found the substream full, else the next one in turn.</summary>
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
        // A transfer without room waits, and all transfers behind it, until one that is under way ends and gives its
        // room back. With no transfer under way, all room is free.
        while (_active.Count < GlueWire.TransfersMax
            && _waiting.First is { } waiting
            && (waiting.Value.First.TryTakeRoom(_room) || _active.Count == 0))
        {
            _waiting.Remove(waiting);
            _active.AddLast(waiting);
        }

        if (_active.First is not { } next)
            return null;
        // To the end of the list, for its next turn.
        _active.Remove(next);
        _active.AddLast(next);
        return next.Value.First;
    }

    private void EndTurn(OutgoingTransfer transfer, bool isDone)
    {
        bool isCancelDue;
        lock (_gate)
        {
            // The sender was closed meanwhile: TryTakeTurn releases the transfer.
            if (_isClosed)
                return;
            _current = null;
            if (!isDone)
                return;
            // The call was given up while its last piece was appended: the receiver has the whole call and needs a
            // Cancel.
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

    // The pump ends a transfer that has begun, because the receiver must learn of the end.
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
        // The next transfer of the order needs room of its own.
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
