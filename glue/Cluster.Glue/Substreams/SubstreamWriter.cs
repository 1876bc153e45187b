using Cluster.Glue.Scheduling;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Substreams;

/// <summary>The sending half of a substream: joins envelopes of all threads into batches and writes them to the stream
/// that carries the substream just now: append under a short lock, drain on a pool item until empty, one write and
/// flush after the other, no timer. That item waits in the pool's shared queue, behind the work of the threads that
/// append: whoever is answered or answers next joins the batch. A batch is kept until the peer has said that it
/// received it, so that a stream which was cut can be followed by another one without loss. What was not written yet
/// can be taken back. Bounded in bytes. Protected by one lock; one drain runs at a time.</summary>
internal sealed class SubstreamWriter : IThreadPoolWorkItem
{
    // A peer that sends without being answered is told after this number of batches what has been received.
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

    /// <param name="queueBytesMax">The bound of what waits.</param>
    /// <param name="keepsBatches">Whether the peer says what it receives, so that another stream can follow.</param>
    /// <param name="time">The clock of the ages of batches.</param>
    /// <param name="onFailure">Is told that writing to a stream has failed.</param>
    public SubstreamWriter(
        long queueBytesMax, bool keepsBatches, TimeProvider time, Action<IMessageStream, Exception> onFailure)
    {
        _queueBytesMax = queueBytesMax;
        _keepsBatches = keepsBatches;
        _onFailure = onFailure;
        _queue = new BatchQueue(time);
        _sent = new SentBatches(_queue, keepsBatches);
    }

    /// <summary>On what terms an envelope is taken.</summary>
    private readonly record struct AppendOptions(long HeldBytesMax, FlushMode FlushMode, bool IsFirst);

    /// <summary>Bytes of envelopes that wait to be written.</summary>
    public long QueuedBytes => Volatile.Read(ref _heldBytes) - _sent.Bytes;

    /// <summary>Bytes of envelopes that the peer has not received, as far as is known here.</summary>
    public long HeldBytes => Volatile.Read(ref _heldBytes);

    /// <summary>Stands for the batch that ends with what was appended last.</summary>
    public ulong LastTicket
    {
        get
        {
            lock (_gate)
                return _queue.LastTicket;
        }
    }

    /// <summary>Whether the peer has handled a batch and all before it, as far as can be known here.</summary>
    public bool IsReceived(ulong ticket)
    {
        lock (_gate)
            return _heldBytes == 0 || _sent.IsReceived(ticket);
    }

    /// <summary>Queues one envelope if no more than <paramref name="limit"/> bytes are held before it.</summary>
    public StartResult TryAppend(
        in EnvelopeHeader header, ReadOnlySpan<byte> body, long limit, FlushMode flush = FlushMode.Soon) =>
        TryAppend(header, body, new AppendOptions(limit, flush, IsFirst: false), out _);

    /// <summary>Queues a call, or something else that has to wait for room.</summary>
    /// <param name="header">The envelope.</param>
    /// <param name="body">Its body.</param>
    /// <param name="flush">When the batch leaves.</param>
    /// <param name="isFirst">It is a call for which nothing waits that is served: refused after
    /// <see cref="EndCalls"/>.</param>
    /// <param name="place">Where it lies, for <see cref="Cancel"/>.</param>
    public StartResult TryAppendCall(
        in EnvelopeHeader header,
        ReadOnlySpan<byte> body,
        FlushMode flush,
        bool isFirst,
        out QueuedPlace place) =>
        TryAppend(header, body, new AppendOptions(_queueBytesMax, flush, isFirst), out place);

    public StartResult TryAppendCall(in EnvelopeHeader header, ReadOnlySpan<byte> body, FlushMode flush) =>
        TryAppendCall(header, body, flush, isFirst: false, out _);

    /// <summary>Queues one envelope, however full the queue is: replies are bounded by the calls admitted, others are
    /// small.</summary>
    public void Append(in EnvelopeHeader header, ReadOnlySpan<byte> body, FlushMode flush = FlushMode.Soon) =>
        TryAppend(header, body, long.MaxValue, flush);

    /// <summary>Nobody waits for a call any more: it is taken back if it was not written, else the peer is told behind
    /// it. True when the peer never sees it.</summary>
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

    /// <summary>Sends what was held, together, on this thread as far as that needs no waiting.</summary>
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

    /// <summary>Writes to this stream from now on, beginning with what its peer has not received. There is no other
    /// one.</summary>
    /// <exception cref="WireException">The peer names a count that cannot be.</exception>
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

    /// <summary>Writes to no stream any more; completes when the last write has ended.</summary>
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

    /// <summary>The peer says how many batches it has received.</summary>
    /// <exception cref="WireException">More than were sent, or fewer than it said before.</exception>
    public void Confirm(ulong peerReceivedCount)
    {
        if (peerReceivedCount == _sent.ConfirmedCount)
            return;
        lock (_gate)
            ConfirmNeedsLock(peerReceivedCount);
    }

    /// <summary>The next batch tells the peer how many have been received; soon, when none is about to go.</summary>
    public void NoteReceived(ulong count)
    {
        Volatile.Write(ref _receivedCount, count);
        if (count - Volatile.Read(ref _toldCount) >= UntoldBatchesMax)
            Tell();
    }

    /// <summary>The peer does not know yet what has been received.</summary>
    public bool HasUntold => _keepsBatches && Volatile.Read(ref _receivedCount) != Volatile.Read(ref _toldCount);

    /// <summary>Tells the peer what was received before the last beat, unless it knows: by then the next batch has not
    /// told it.</summary>
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

    /// <summary>Completes when what waits to be written has fallen to half the bound, or the writer closed.</summary>
    public Task WaitForProgressAsync()
    {
        lock (_gate)
        {
            if (_isClosed || QueuedBytes <= _queueBytesMax / 2)
                return Task.CompletedTask;
            return _progress.WaitAsync();
        }
    }

    /// <summary>Completes when what the peer has not received has fallen to half the bound, or the writer is
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

    /// <summary>Like <see cref="WaitForRoomAsync"/>, for a bound of the caller. One waits at a time.</summary>
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

    /// <summary>Completes when all that was appended is written, or the writer is closed.</summary>
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
        in EnvelopeHeader header, ReadOnlySpan<byte> body, in AppendOptions options, out QueuedPlace place)
    {
        var head = header.Headers.IsEmpty
            ? stackalloc byte[GlueWire.EnvelopeHeaderBytesMax]
            : new byte[header.BytesMax];
        var headLength = header.Write(head, body.Length);
        QueuedBatch? large = null;
        if (BatchQueue.IsLarge(checked(headLength + body.Length)))
        {
            // What is large is copied before others have to wait for it.
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

    // The drain may go on with the envelopes of others: it must not keep this caller's context.
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

            // The stream of the batch: after an attach this is another one than before.
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

    // Null: nothing waits but what the peer is to be told.
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

    // What the peer has received is free from then on, but not before the write has ended.
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
            // What was written last is to be sent again.
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
