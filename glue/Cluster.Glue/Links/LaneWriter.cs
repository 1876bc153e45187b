using System.Buffers;
using Cluster.Glue.Calls;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Links;

/// <summary>
/// The sending half of a lane: joins envelopes of all threads into batches and writes them to the stream that carries
/// the lane just now: append under a short lock, drain on a pool item until empty, one write and flush after the
/// other, no timer. That item waits in the pool's shared queue, behind the work of the threads that append: whoever is
/// answered or answers next joins the batch. A batch is kept until the peer has said that it received it, so that a
/// stream which was cut can be followed by another one without loss. Bounded in bytes. Protected by one lock; one
/// drain runs at a time.
/// </summary>
internal sealed class LaneWriter(long queueBytesMax, bool keepsBatches, Action<IMessageStream, Exception> onFailure)
    : IThreadPoolWorkItem
{
    private const int SpareBatchesMax = 32;
    private const int BatchArrayBytes = GlueWire.Headroom + GlueWire.BatchBytesMax;

    // A peer that sends without being answered is told after so many batches what has been received.
    private const int UntoldBatchesMax = 8;

    private readonly Lock _gate = new();
    private readonly byte[] _emptyBatch = new byte[GlueWire.Headroom];
    private readonly Stack<byte[]> _spare = new();
    private Queue<Batch> _waiting = new();
    private Queue<Batch> _unconfirmed = new();
    private IMessageStream? _stream;
    private byte[]? _filling;
    private int _fillingBytes;
    private Batch _writing;
    private bool _isWritingConfirmed;
    private long _heldBytes;
    private long _unconfirmedBytes;
    private ulong _writtenCount;
    private ulong _confirmedCount;
    private ulong _receivedCount;
    private ulong _toldCount;
    private ulong _receivedBeforeBeat;
    private bool _isTellingDue;
    private bool _isDraining;
    private bool _isHolding;
    private bool _takesCalls = true;
    private bool _isBroken;
    private bool _isClosed;
    private TaskCompletionSource? _room;
    private TaskCompletionSource? _progress;
    private TaskCompletionSource? _below;
    private long _belowBytes;
    private TaskCompletionSource? _idle;
    private TaskCompletionSource? _released;

    /// <summary>A sealed batch: envelopes behind the headroom of an array.</summary>
    private readonly record struct Batch(byte[]? Buffer, int Length);

    /// <summary>Bytes of envelopes that wait to be written.</summary>
    public long QueuedBytes => Volatile.Read(ref _heldBytes) - Volatile.Read(ref _unconfirmedBytes);

    /// <summary>Bytes of envelopes that the peer has not received, as far as is known here.</summary>
    public long HeldBytes => Volatile.Read(ref _heldBytes);

    /// <summary>The number of the batch that ends with what was appended last.</summary>
    public ulong LastBatch
    {
        get
        {
            lock (_gate)
                return _writtenCount + (ulong)_waiting.Count + (_filling is null ? 0UL : 1);
        }
    }

    /// <summary>Whether the peer has handled a batch, as far as can be known here.</summary>
    public bool IsReceived(ulong batch)
    {
        lock (_gate)
            return (keepsBatches ? _confirmedCount : _writtenCount) >= batch;
    }

    /// <summary>
    /// Queues one envelope. With <paramref name="limit"/> set to long.MaxValue the queue bound does not count: for
    /// replies, which are bounded by the calls admitted, and for small control envelopes.
    /// </summary>
    /// <param name="header">The envelope.</param>
    /// <param name="body">Its body.</param>
    /// <param name="limit">Bytes that may be held before.</param>
    /// <param name="departure">When the batch leaves.</param>
    /// <param name="isFirst">It is a call for which nothing waits that is served: refused after
    /// <see cref="EndCalls"/>.</param>
    public StartResult TryAppend(
        in EnvelopeHeader header,
        ReadOnlySpan<byte> body,
        long limit,
        Departure departure = Departure.Soon,
        bool isFirst = false)
    {
        Span<byte> head = header.Headers.IsEmpty
            ? stackalloc byte[GlueWire.EnvelopeHeaderBytesMax]
            : new byte[header.BytesMax];
        head = head[..header.Write(head, body.Length)];
        int length = checked(head.Length + body.Length);
        lock (_gate)
        {
            if (_isClosed || (isFirst && !_takesCalls))
                return StartResult.NotConnected;
            if (_heldBytes > limit)
                return StartResult.QueueFull;
            byte[] batch = BatchWithRoomNeedsLock(length, out int at);
            head.CopyTo(batch.AsSpan(at));
            body.CopyTo(batch.AsSpan(at + head.Length));
            _fillingBytes += length;
            _heldBytes += length;
            if (departure == Departure.Held)
                _isHolding = true;
            if (_isDraining || _stream is null || departure == Departure.Held)
                return StartResult.Started;
            _isDraining = true;
        }

        if (departure == Departure.Now)
            DrainHere();
        else
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        return StartResult.Started;
    }

    public StartResult TryAppendCall(
        in EnvelopeHeader header, ReadOnlySpan<byte> body, Departure departure, bool isFirst = false)
        => TryAppend(header, body, queueBytesMax, departure, isFirst);

    public void Append(in EnvelopeHeader header, ReadOnlySpan<byte> body, Departure departure = Departure.Soon)
        => TryAppend(header, body, long.MaxValue, departure);

    /// <summary>What is called from now on would come after the goodbye.</summary>
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
            if (_isClosed || _isDraining || _stream is null || (_filling is null && _waiting.Count == 0))
                return;
            _isDraining = true;
        }

        DrainHere();
    }

    /// <summary>
    /// Writes to this stream from now on, beginning with what its peer has not received. There is no other one.
    /// </summary>
    /// <exception cref="WireException">The peer names a count that cannot be.</exception>
    public void Attach(IMessageStream stream, ulong peerReceivedCount)
    {
        bool startsDrain;
        lock (_gate)
        {
            ConfirmNeedsLock(peerReceivedCount);
            _writtenCount = _confirmedCount;
            if (_unconfirmed.Count > 0)
            {
                foreach (Batch batch in _waiting)
                    _unconfirmed.Enqueue(batch);
                _waiting.Clear();
                (_waiting, _unconfirmed) = (_unconfirmed, _waiting);
                _unconfirmedBytes = 0;
            }

            _stream = stream;
            _isBroken = false;
            _toldCount = _receivedCount;
            startsDrain = !_isClosed && (_waiting.Count > 0 || _filling is not null);
            _isDraining = startsDrain;
            if (!startsDrain)
            {
                _idle?.TrySetResult();
                _idle = null;
            }
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
            _released ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _released.Task;
        }
    }

    /// <summary>The peer says how many batches it has received.</summary>
    /// <exception cref="WireException">More than were sent, or fewer than it said before.</exception>
    public void Confirm(ulong peerReceivedCount)
    {
        if (peerReceivedCount == Volatile.Read(ref _confirmedCount))
            return;
        lock (_gate)
        {
            ConfirmNeedsLock(peerReceivedCount);
        }
    }

    /// <summary>The next batch tells the peer how many have been received; soon, when none is about to go.</summary>
    public void NoteReceived(ulong count)
    {
        Volatile.Write(ref _receivedCount, count);
        if (count - Volatile.Read(ref _toldCount) >= UntoldBatchesMax)
            Tell();
    }

    /// <summary>The peer does not know yet what has been received.</summary>
    public bool HasUntold => keepsBatches && Volatile.Read(ref _receivedCount) != Volatile.Read(ref _toldCount);

    /// <summary>
    /// Tells the peer what was received before the last beat, unless it knows: by then the next batch has not told it.
    /// </summary>
    public void Beat()
    {
        bool isOld = _receivedBeforeBeat > Volatile.Read(ref _toldCount);
        _receivedBeforeBeat = Volatile.Read(ref _receivedCount);
        if (isOld)
            Tell();
    }

    private void Tell()
    {
        if (!keepsBatches)
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

    /// <summary>Completes when what waits to be written has fallen to half the bound, or the writer is
    /// closed.</summary>
    public Task WaitForProgressAsync()
    {
        lock (_gate)
        {
            if (_isClosed || QueuedBytes <= queueBytesMax / 2)
                return Task.CompletedTask;
            _progress ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _progress.Task;
        }
    }

    /// <summary>
    /// Completes when what the peer has not received has fallen to half the bound, or the writer is closed.
    /// </summary>
    public Task WaitForRoomAsync()
    {
        lock (_gate)
        {
            if (_isClosed || _heldBytes <= queueBytesMax / 2)
                return Task.CompletedTask;
            _room ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _room.Task;
        }
    }

    /// <summary>
    /// Completes when what the peer has not received has fallen to so many bytes, or the writer is closed. One waits
    /// at a time.
    /// </summary>
    public Task WaitUntilHeldAsync(long bytesMax)
    {
        lock (_gate)
        {
            if (_isClosed || _heldBytes <= bytesMax)
                return Task.CompletedTask;
            _belowBytes = bytesMax;
            _below = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _below.Task;
        }
    }

    /// <summary>Completes when all that was appended is written, or the writer is closed.</summary>
    public Task WaitUntilIdleAsync()
    {
        lock (_gate)
        {
            if (_isClosed || (!_isDraining && IsAllWrittenNeedsLock))
                return Task.CompletedTask;
            _idle ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _idle.Task;
        }
    }

    /// <summary>Refuses further envelopes and drops the queued ones.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            _waiting.Clear();
            _unconfirmed.Clear();
            _filling = null;
            _fillingBytes = 0;
            _heldBytes = 0;
            _unconfirmedBytes = 0;
            _room?.TrySetResult();
            _progress?.TrySetResult();
            _below?.TrySetResult();
            _idle?.TrySetResult();
        }
    }

    public void Execute() => _ = DrainAsync();

    private bool IsAllWrittenNeedsLock => _waiting.Count == 0 && _filling is null && !_isBroken;

    private byte[] BatchWithRoomNeedsLock(int length, out int at)
    {
        if (_filling is not null && _fillingBytes + length > GlueWire.BatchBytesMax)
            SealFillingNeedsLock();
        _filling ??= length > GlueWire.BatchBytesMax
            ? ArrayPool<byte>.Shared.Rent(checked(GlueWire.Headroom + length))
            : _spare.TryPop(out byte[]? spare) ? spare : new byte[BatchArrayBytes];
        at = GlueWire.Headroom + _fillingBytes;
        return _filling;
    }

    private void SealFillingNeedsLock()
    {
        if (_filling is null)
            return;
        _waiting.Enqueue(new Batch(_filling, _fillingBytes));
        _filling = null;
        _fillingBytes = 0;
    }

    // The drain may go on with the envelopes of others: it must not keep this caller's context.
    private void DrainHere() => Detached.Run(this, static writer => writer.DrainAsync());

    private async Task DrainAsync()
    {
        IMessageStream? stream = null;
        try
        {
            while (TryTake(out byte[] buffer, out int start, out int length, ref stream))
                await stream!.SendAsync(buffer, start, length).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            EndDrain();
            onFailure(stream!, exception);
        }
    }

    private bool TryTake(out byte[] buffer, out int start, out int length, ref IMessageStream? stream)
    {
        lock (_gate)
        {
            EndWritingNeedsLock();
            if (_waiting.Count == 0)
                SealFillingNeedsLock();
            (buffer, start, length) = (_emptyBatch, 0, 0);
            if (_stream is null || _isClosed || !TryTakeNeedsLock(out Batch batch))
            {
                EndDrainNeedsLock();
                return false;
            }

            // The stream of the batch: after an attach this is another one than before.
            stream = _stream;
            _toldCount = Volatile.Read(ref _receivedCount);
            _isTellingDue = false;
            buffer = batch.Buffer ?? _emptyBatch;
            ulong number = batch.Buffer is null ? 0 : ++_writtenCount;
            start = new BatchHead(number, _toldCount).Write(buffer, GlueWire.Headroom);
            length = GlueWire.Headroom + batch.Length - start;
            return true;
        }
    }

    private bool TryTakeNeedsLock(out Batch batch)
    {
        if (!_waiting.TryDequeue(out batch))
        {
            return _isTellingDue
                || (keepsBatches && Volatile.Read(ref _receivedCount) - _toldCount >= UntoldBatchesMax);
        }

        _writing = batch;
        _unconfirmedBytes += batch.Length;
        if (keepsBatches)
            _unconfirmed.Enqueue(batch);
        else
            _isWritingConfirmed = true;
        if (_progress is not null && QueuedBytes <= queueBytesMax / 2)
        {
            _progress.TrySetResult();
            _progress = null;
        }

        return true;
    }

    // What the peer has received is free from then on, but not before the write has ended.
    private void EndWritingNeedsLock()
    {
        if (_isWritingConfirmed && !_isClosed)
            RecycleNeedsLock(_writing);
        _writing = default;
        _isWritingConfirmed = false;
    }

    private void EndDrain()
    {
        lock (_gate)
        {
            EndWritingNeedsLock();
            _stream = null;
            // What was written last is to be sent again.
            _isBroken = _unconfirmed.Count > 0;
            EndDrainNeedsLock();
        }
    }

    private void EndDrainNeedsLock()
    {
        _isDraining = false;
        _released?.TrySetResult();
        _released = null;
        if (!IsAllWrittenNeedsLock)
            return;
        _idle?.TrySetResult();
        _idle = null;
    }

    private void ConfirmNeedsLock(ulong count)
    {
        if (_isClosed)
            return;
        if (count < _confirmedCount || count - _confirmedCount > (ulong)_unconfirmed.Count)
        {
            throw new WireException(
                $"batches received: {count} are claimed, {_confirmedCount} to "
                + $"{_confirmedCount + (ulong)_unconfirmed.Count} can be.");
        }

        while (_confirmedCount < count)
        {
            Batch batch = _unconfirmed.Dequeue();
            _confirmedCount++;
            if (ReferenceEquals(batch.Buffer, _writing.Buffer))
                _isWritingConfirmed = true;
            else
                RecycleNeedsLock(batch);
        }
    }

    private void RecycleNeedsLock(Batch batch)
    {
        if (batch.Buffer!.Length != BatchArrayBytes)
            ArrayPool<byte>.Shared.Return(batch.Buffer);
        else if (_spare.Count < SpareBatchesMax)
            _spare.Push(batch.Buffer);
        _heldBytes -= batch.Length;
        _unconfirmedBytes -= batch.Length;
        if (_below is not null && _heldBytes <= _belowBytes)
        {
            _below.TrySetResult();
            _below = null;
        }

        if (_room is null || _heldBytes > queueBytesMax / 2)
            return;
        _room.TrySetResult();
        _room = null;
    }
}
