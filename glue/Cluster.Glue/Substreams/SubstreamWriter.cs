using Cluster.Glue.Scheduling;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Substreams;

/// <summary>The sending half of a substream. All threads append envelopes to batches under a short lock; a pool item
/// drains the batches to the stream, one write and flush after the other, without a timer. The pool item waits in the
/// pool's shared queue behind the work of the appending threads, so that the next calls and answers of those threads
/// join the batch. A batch is kept until the peer has confirmed it, so that another stream can follow a cut one without
/// loss. An envelope that is not written yet can be taken back. Limited in bytes. Protected by one lock; one drain runs
/// at a time.</summary>
internal sealed class SubstreamWriter : IThreadPoolWorkItem
{
    // If no batch goes to the peer meanwhile, received batches are confirmed after this number.
    private const int UntoldBatchesMax = 8;

    private readonly Lock _gate = new();
    private readonly byte[] _emptyBatch = new byte[GlueWire.Headroom];
    private readonly BatchQueue _queue;
    private readonly SentBatches _sent;
    private readonly long _queueBytesMax;
    private readonly bool _keepsBatches;
    private readonly Action<IMessageStream, Exception> _onFailure;
    private IMessageStream? _stream;
    private long _heldBytes;
    private ulong _receivedCount;
    private ulong _toldCount;
    private ulong _receivedBeforeBeat;
    private bool _isTellingDue;
    private bool _isDraining;
    private bool _isHolding;
    private bool _takesCalls = true;
    private bool _isBroken;
    private bool _isClosed;
    private Waiter _room;
    private Waiter _progress;
    private Waiter _below;
    private long _belowBytes;
    private Waiter _idle;
    private Waiter _released;

    /// <param name="queueBytesMax">The limit of queued bytes.</param>
    /// <param name="keepsBatches">Whether the peer confirms batches, so that another stream can follow.</param>
    /// <param name="time">The clock of the ages of batches.</param>
    /// <param name="onFailure">Called when writing to a stream has failed.</param>
    public SubstreamWriter(
        long queueBytesMax, bool keepsBatches, TimeProvider time, Action<IMessageStream, Exception> onFailure)
    {
        _queueBytesMax = queueBytesMax;
        _keepsBatches = keepsBatches;
        _onFailure = onFailure;
        _queue = new BatchQueue(time);
        _sent = new SentBatches(_queue, keepsBatches);
    }

    /// <summary>How an envelope is queued: the limit of held bytes, the flush mode, and whether Leave refuses
    /// it.</summary>
    private readonly record struct AppendOptions(long HeldBytesMax, FlushMode FlushMode, bool IsFirst);

    /// <summary>Bytes of envelopes that wait to be written.</summary>
    public long QueuedBytes => Volatile.Read(ref _heldBytes) - _sent.Bytes;

    /// <summary>Bytes of envelopes that the peer has not received, as far as this side knows.</summary>
    public long HeldBytes => Volatile.Read(ref _heldBytes);

    /// <summary>The ticket of the batch that holds the envelope appended last.</summary>
    public ulong LastTicket
    {
        get
        {
            lock (_gate)
                return _queue.LastTicket;
        }
    }

    /// <summary>Whether the peer has handled the batch and all batches before it, as far as this side knows.</summary>
    public bool IsReceived(ulong ticket)
    {
        lock (_gate)
            return _heldBytes == 0 || _sent.IsReceived(ticket);
    }

    /// <summary>Queues one envelope if no more than <paramref name="limit"/> bytes are held before it.</summary>
    public StartResult TryAppend(
        in EnvelopeHeader header, EnvelopeBody body, long limit, FlushMode flush = FlushMode.Soon) =>
        TryAppend(header, body, new AppendOptions(limit, flush, IsFirst: false), out _);

    /// <summary>Queues a call, or another envelope that has to wait for room.</summary>
    /// <param name="header">The envelope.</param>
    /// <param name="body">Its body.</param>
    /// <param name="flush">When the batch is sent.</param>
    /// <param name="isFirst">Whether it is a call for which no served call waits: it is refused after
    /// <see cref="EndCalls"/>.</param>
    /// <param name="place">The place of the call, for <see cref="Cancel"/>.</param>
    public StartResult TryAppendCall(
        in EnvelopeHeader header,
        EnvelopeBody body,
        FlushMode flush,
        bool isFirst,
        out QueuedPlace place) =>
        TryAppend(header, body, new AppendOptions(_queueBytesMax, flush, isFirst), out place);

    public StartResult TryAppendCall(in EnvelopeHeader header, EnvelopeBody body, FlushMode flush) =>
        TryAppendCall(header, body, flush, isFirst: false, out _);

    /// <summary>Queues one envelope without a limit: the number of replies is limited by the admitted calls, and other
    /// envelopes are small.</summary>
    public void Append(in EnvelopeHeader header, EnvelopeBody body, FlushMode flush = FlushMode.Soon) =>
        TryAppend(header, body, long.MaxValue, flush);

    /// <summary>Cancels a call that nobody waits for any more: takes it back if it is not written, else sends a Cancel
    /// behind it. True: the peer never sees the call.</summary>
    public bool Cancel(in QueuedPlace place, ulong callId)
    {
        lock (_gate)
        {
            if (!_isClosed && _queue.TryDrop(place, out var freedBytes))
            {
                FreeNeedsLock(freedBytes);
                return true;
            }
        }

        Append(new EnvelopeHeader { Kind = EnvelopeKind.Cancel, CallId = callId }, default);
        return false;
    }

    /// <summary>Refuses further calls, because Leave follows.</summary>
    public void EndCalls()
    {
        lock (_gate)
            _takesCalls = false;
    }

    /// <summary>Sends the held envelopes together, on the calling thread until a write has to wait.</summary>
    public void SendHeld()
    {
        if (!_isHolding)
            return;
        lock (_gate)
        {
            _isHolding = false;
            if (_isClosed || _isDraining || _stream is null || _queue.IsEmpty)
                return;
            _isDraining = true;
        }

        DrainHere();
    }

    /// <summary>Writes to this stream from now on, beginning with the batches that the peer has not received. No other
    /// stream may be attached.</summary>
    /// <exception cref="WireException">The peer's count is impossible.</exception>
    public void Attach(IMessageStream stream, ulong peerReceivedCount)
    {
        bool startsDrain;
        lock (_gate)
        {
            ConfirmNeedsLock(peerReceivedCount);
            _sent.PutBack();
            _stream = stream;
            _isBroken = false;
            _toldCount = _receivedCount;
            startsDrain = !_isClosed && !_queue.IsEmpty;
            _isDraining = startsDrain;
            if (!startsDrain)
                _idle.Release();
        }

        if (startsDrain)
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <summary>Stops writing to the stream. Completes when the last write has ended.</summary>
    public Task DetachAsync()
    {
        lock (_gate)
        {
            _stream = null;
            if (!_isDraining)
                return Task.CompletedTask;
            return _released.WaitAsync();
        }
    }

    /// <summary>Takes the peer's count of received batches.</summary>
    /// <exception cref="WireException">The count is higher than the number of sent batches, or lower than an earlier
    /// count.</exception>
    public void Confirm(ulong peerReceivedCount)
    {
        if (peerReceivedCount == _sent.ConfirmedCount)
            return;
        lock (_gate)
            ConfirmNeedsLock(peerReceivedCount);
    }

    /// <summary>Confirms received batches with the next batch that is sent. After several unconfirmed ones, a batch
    /// without envelopes does it.</summary>
    public void NoteReceived(ulong count)
    {
        Volatile.Write(ref _receivedCount, count);
        if (count - Volatile.Read(ref _toldCount) >= UntoldBatchesMax)
            Tell();
    }

    /// <summary>Whether the peer has not been told of all received batches.</summary>
    public bool HasUntold => _keepsBatches && Volatile.Read(ref _receivedCount) != Volatile.Read(ref _toldCount);

    /// <summary>Confirms the batches that arrived before the last beat, if no batch has done so meanwhile.</summary>
    public void Beat()
    {
        var isOld = _receivedBeforeBeat > Volatile.Read(ref _toldCount);
        _receivedBeforeBeat = Volatile.Read(ref _receivedCount);
        if (isOld)
            Tell();
        lock (_gate)
            _queue.Trim();
    }

    private void Tell()
    {
        if (!_keepsBatches)
            return;
        lock (_gate)
        {
            if (_isClosed || _stream is null || _receivedCount == _toldCount)
                return;
            _isTellingDue = true;
            if (_isDraining)
                return;
            _isDraining = true;
        }

        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <summary>Completes when the bytes that wait to be written have fallen to half the limit, or the writer is
    /// closed.</summary>
    public Task WaitForProgressAsync()
    {
        lock (_gate)
        {
            if (_isClosed || QueuedBytes <= _queueBytesMax / 2)
                return Task.CompletedTask;
            return _progress.WaitAsync();
        }
    }

    /// <summary>Completes when the bytes that the peer has not received have fallen to half the limit, or the writer is
    /// closed.</summary>
    public Task WaitForRoomAsync()
    {
        lock (_gate)
        {
            if (_isClosed || _heldBytes <= _queueBytesMax / 2)
                return Task.CompletedTask;
            return _room.WaitAsync();
        }
    }

    /// <summary>Like <see cref="WaitForRoomAsync"/>, for a limit of the caller. Only one caller may wait at a
    /// time.</summary>
    public Task WaitUntilHeldAsync(long bytesMax)
    {
        lock (_gate)
        {
            if (_isClosed || _heldBytes <= bytesMax)
                return Task.CompletedTask;
            _belowBytes = bytesMax;
            return _below.WaitAsync();
        }
    }

    /// <summary>Completes when all appended envelopes are written, or the writer is closed.</summary>
    public Task WaitUntilIdleAsync()
    {
        lock (_gate)
        {
            if (_isClosed || (!_isDraining && IsAllWrittenNeedsLock))
                return Task.CompletedTask;
            return _idle.WaitAsync();
        }
    }

    /// <summary>Refuses further envelopes and drops the queued ones.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            _queue.Clear();
            _sent.Clear();
            _heldBytes = 0;
            _room.Release();
            _progress.Release();
            _below.Release();
            _idle.Release();
        }
    }

    public void Execute() => _ = DrainAsync();

    private bool IsAllWrittenNeedsLock => _queue.IsEmpty && !_isBroken;

    private StartResult TryAppend(
        in EnvelopeHeader header, EnvelopeBody body, in AppendOptions options, out QueuedPlace place)
    {
        var head = header.Headers.IsEmpty
            ? stackalloc byte[GlueWire.EnvelopeHeaderBytesMax]
            : new byte[header.BytesMax];
        var headLength = header.Write(head, body.Length);
        QueuedBatch? large = null;
        if (BatchQueue.IsLarge(checked(headLength + body.Length)))
        {
            // A large envelope is copied outside of the lock, so that other threads do not wait for it.
            large = BatchQueue.RentLarge(headLength + body.Length);
            large.Add(head[..headLength], body);
        }

        place = default;
        StartResult result;
        var startsDrain = false;
        lock (_gate)
        {
            result = _isClosed || (options.IsFirst && !_takesCalls) ? StartResult.NotConnected
                : _heldBytes > options.HeldBytesMax ? StartResult.QueueFull
                : StartResult.Started;
            if (result == StartResult.Started)
            {
                place = large is null
                    ? _queue.Add(header, head, headLength, body)
                    : _queue.AddLarge(large, header.CountedAt);
                _heldBytes += place.Length;
                startsDrain = !_isDraining && _stream is not null && options.FlushMode != FlushMode.Held;
                _isDraining |= startsDrain;
                _isHolding |= options.FlushMode == FlushMode.Held;
            }
        }

        if (result != StartResult.Started && large is not null)
            BatchQueue.Return(large);
        if (startsDrain && options.FlushMode == FlushMode.Now)
            DrainHere();
        else if (startsDrain)
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        return result;
    }

    // The drain may go on with envelopes of other callers: it must not keep this caller's execution context.
    private void DrainHere() => Detached.Run(this, static writer => writer.DrainAsync());

    private async Task DrainAsync()
    {
        IMessageStream? stream = null;
        try
        {
            while (TryTake(out var buffer, out var start, out var length, ref stream))
                await stream!.SendAsync(buffer.AsMemory(start, length)).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            EndDrain();
            _onFailure(stream!, exception);
        }
    }

    private bool TryTake(out byte[] buffer, out int start, out int length, ref IMessageStream? stream)
    {
        lock (_gate)
        {
            EndWritingNeedsLock();
            (buffer, start, length) = (_emptyBatch, 0, 0);
            if (_stream is null || _isClosed || !TryTakeNeedsLock(out var batch, out var number))
            {
                EndDrainNeedsLock();
                return false;
            }

            // After an attach, this is another stream than before.
            stream = _stream;
            _toldCount = Volatile.Read(ref _receivedCount);
            _isTellingDue = false;
            buffer = batch?.Buffer ?? _emptyBatch;
            var head = batch is null
                ? new BatchHead(0, _toldCount)
                : new BatchHead(number, _toldCount, _queue.AgeOf(batch));
            start = head.Write(buffer, GlueWire.Headroom);
            length = GlueWire.Headroom + (batch?.Length ?? 0) - start;
            return true;
        }
    }

    // A null batch: no envelopes wait, but received batches must be confirmed.
    private bool TryTakeNeedsLock(out QueuedBatch? batch, out ulong number)
    {
        number = 0;
        var isTaken = _queue.TryTake(out batch, out var droppedBytes);
        FreeNeedsLock(droppedBytes);
        if (!isTaken)
        {
            return _isTellingDue
                || (_keepsBatches && Volatile.Read(ref _receivedCount) - _toldCount >= UntoldBatchesMax);
        }

        number = _sent.Begin(batch!);
        SignalNeedsLock();
        return true;
    }

    // A batch that the peer has confirmed is freed only after its write has ended.
    private void EndWritingNeedsLock()
    {
        FreeNeedsLock(_sent.EndWriting());
    }

    private void EndDrain()
    {
        lock (_gate)
        {
            EndWritingNeedsLock();
            _stream = null;
            // The batches that the peer has not confirmed must be sent again.
            _isBroken = _sent.HasUnconfirmed;
            EndDrainNeedsLock();
        }
    }

    private void EndDrainNeedsLock()
    {
        _isDraining = false;
        _released.Release();
        if (IsAllWrittenNeedsLock)
            _idle.Release();
    }

    private void ConfirmNeedsLock(ulong count)
    {
        if (!_isClosed)
            FreeNeedsLock(_sent.Confirm(count));
    }

    private void FreeNeedsLock(int bytes)
    {
        _heldBytes -= bytes;
        if (bytes > 0)
            SignalNeedsLock();
    }

    private void SignalNeedsLock()
    {
        if (QueuedBytes <= _queueBytesMax / 2)
            _progress.Release();
        if (_heldBytes <= _belowBytes)
            _below.Release();
        if (!_isDraining && IsAllWrittenNeedsLock)
            _idle.Release();
        if (_heldBytes <= _queueBytesMax / 2)
            _room.Release();
    }
}
