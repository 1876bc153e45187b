using System.Buffers;
using Cluster.Glue.Calls;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Links;

/// <summary>
/// Joins envelopes of all threads into batches and writes them to the stream: append under a short lock, drain on a
/// pool item until empty, one write and flush after the other, no timer. Its queue is bounded in bytes. Protected by
/// one lock; one drain runs at a time.
/// </summary>
internal sealed class LinkWriter(IMessageStream stream, long queueBytesMax, Action<Exception> onFailure)
    : IThreadPoolWorkItem
{
    private const int SpareBatchesMax = 8;
    private const int BatchArrayBytes = GlueWire.Headroom + GlueWire.BatchBytesMax;

    private readonly Lock _gate = new();
    private readonly Queue<Batch> _full = new();
    private readonly Stack<byte[]> _spare = new();
    private byte[]? _filling;
    private int _fillingBytes;
    private long _queuedBytes;
    private bool _isDraining;
    private bool _isClosed;
    private TaskCompletionSource? _room;
    private TaskCompletionSource? _idle;

    /// <summary>A sealed batch that waits to be written.</summary>
    private readonly record struct Batch(byte[] Buffer, int Length);

    public long QueuedBytes => Volatile.Read(ref _queuedBytes);

    /// <summary>
    /// Queues one envelope. With <paramref name="limit"/> set to long.MaxValue the queue bound does not count: for
    /// replies, which are bounded by the calls admitted, and for small control envelopes.
    /// </summary>
    public StartResult TryAppend(in EnvelopeHeader header, ReadOnlySpan<byte> body, long limit)
    {
        Span<byte> head = stackalloc byte[GlueWire.EnvelopeHeaderBytesMax];
        head = head[..header.Write(head, body.Length)];
        int length = head.Length + body.Length;
        if (1 + length > GlueWire.BatchBytesMax)
            return TryAppendAlone(head, body, limit);
        bool startDrain;
        lock (_gate)
        {
            if (_isClosed)
                return StartResult.NotConnected;
            if (_queuedBytes > limit)
                return StartResult.QueueFull;
            byte[] batch = BatchWithRoomNeedsLock(length);
            int at = GlueWire.Headroom + _fillingBytes;
            head.CopyTo(batch.AsSpan(at));
            body.CopyTo(batch.AsSpan(at + head.Length));
            _fillingBytes += length;
            _queuedBytes += length;
            startDrain = !_isDraining;
            _isDraining = true;
        }

        if (startDrain)
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: true);
        return StartResult.Started;
    }

    public StartResult TryAppendCall(in EnvelopeHeader header, ReadOnlySpan<byte> body)
        => TryAppend(header, body, queueBytesMax);

    public void Append(in EnvelopeHeader header, ReadOnlySpan<byte> body) => TryAppend(header, body, long.MaxValue);

    /// <summary>Completes when the queue has fallen to half its bound, or the writer is closed.</summary>
    public Task WaitForRoomAsync()
    {
        lock (_gate)
        {
            if (_isClosed || _queuedBytes <= queueBytesMax / 2)
                return Task.CompletedTask;
            _room ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _room.Task;
        }
    }

    /// <summary>Completes when all that was appended is written, or the writer is closed.</summary>
    public Task WaitUntilIdleAsync()
    {
        lock (_gate)
        {
            if (_isClosed || !_isDraining)
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
            _full.Clear();
            _filling = null;
            _fillingBytes = 0;
            _queuedBytes = 0;
            _room?.TrySetResult();
            _idle?.TrySetResult();
        }
    }

    public void Execute() => _ = DrainAsync();

    private StartResult TryAppendAlone(ReadOnlySpan<byte> head, ReadOnlySpan<byte> body, long limit)
    {
        int length = checked(1 + head.Length + body.Length);
        byte[] buffer = ArrayPool<byte>.Shared.Rent(checked(GlueWire.Headroom + length));
        buffer[GlueWire.Headroom] = GlueWire.BatchVersion;
        head.CopyTo(buffer.AsSpan(GlueWire.Headroom + 1));
        body.CopyTo(buffer.AsSpan(GlueWire.Headroom + 1 + head.Length));
        bool startDrain;
        lock (_gate)
        {
            if (_isClosed || _queuedBytes > limit)
            {
                ArrayPool<byte>.Shared.Return(buffer);
                return _isClosed ? StartResult.NotConnected : StartResult.QueueFull;
            }

            SealFillingNeedsLock();
            _full.Enqueue(new Batch(buffer, length));
            _queuedBytes += length;
            startDrain = !_isDraining;
            _isDraining = true;
        }

        if (startDrain)
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: true);
        return StartResult.Started;
    }

    private byte[] BatchWithRoomNeedsLock(int length)
    {
        if (_filling is not null && _fillingBytes + length <= GlueWire.BatchBytesMax)
            return _filling;
        SealFillingNeedsLock();
        _filling = _spare.TryPop(out byte[]? spare) ? spare : new byte[BatchArrayBytes];
        _filling[GlueWire.Headroom] = GlueWire.BatchVersion;
        _fillingBytes = 1;
        return _filling;
    }

    private void SealFillingNeedsLock()
    {
        if (_filling is null)
            return;
        _full.Enqueue(new Batch(_filling, _fillingBytes));
        _filling = null;
        _fillingBytes = 0;
    }

    private async Task DrainAsync()
    {
        try
        {
            Batch? written = null;
            while (TryTakeBatch(written, out Batch batch))
            {
                await stream.SendAsync(batch.Buffer, GlueWire.Headroom, batch.Length);
                written = batch;
            }
        }
        catch (Exception exception)
        {
            Close();
            onFailure(exception);
        }
    }

    private bool TryTakeBatch(Batch? written, out Batch batch)
    {
        lock (_gate)
        {
            if (written is { } done)
                GiveBackNeedsLock(done);
            if (_full.Count == 0)
                SealFillingNeedsLock();
            if (_full.TryDequeue(out batch))
                return true;
            _isDraining = false;
            _idle?.TrySetResult();
            _idle = null;
            return false;
        }
    }

    private void GiveBackNeedsLock(Batch batch)
    {
        if (batch.Buffer.Length != BatchArrayBytes)
            ArrayPool<byte>.Shared.Return(batch.Buffer);
        else if (_spare.Count < SpareBatchesMax)
            _spare.Push(batch.Buffer);
        _queuedBytes = Math.Max(0, _queuedBytes - batch.Length);
        if (_room is null || _queuedBytes > queueBytesMax / 2)
            return;
        _room.TrySetResult();
        _room = null;
    }
}
