using Cluster.Glue.Wire;
using Cluster.Slim.Hosting;

namespace Cluster.Glue.Substreams;

/// <summary>The batches of a substream that wait to be written, and the one that is being filled. Guarded by the lock
/// of its writer.</summary>
internal sealed class BatchQueue(TimeProvider time)
{
    // A substream with few batches under way never asks the shared pool for arrays.
    private const int SpareBatchesMax = 8;

    private readonly long _ticksPerMillisecond = Math.Max(1, time.TimestampFrequency / 1000);
    private readonly Stack<QueuedBatch> _spare = new();
    private readonly LinkedList<QueuedBatch> _waiting = new();
    private QueuedBatch? _filling;
    private bool _hadFullArrays;

    public bool IsEmpty => _waiting.Count == 0 && _filling is not { Length: > 0 };

    /// <summary>The ticket of the batch that holds the envelope added last.</summary>
    public ulong LastTicket { get; private set; }

    /// <summary>Rents a batch for exactly one large envelope. The caller fills it outside of the lock.</summary>
    public static QueuedBatch RentLarge(int length) =>
        new(ArrayPool<byte>.Shared.Rent(checked(GlueWire.Headroom + length)));

    public static void Return(QueuedBatch batch) => ArrayPool<byte>.Shared.Return(batch.Buffer);

    public static bool IsLarge(int length) => length > GlueWire.BatchBytesMax;

    /// <summary>Adds an envelope; returns its place.</summary>
    /// <param name="header">The header of the envelope.</param>
    /// <param name="head">The written header; the span has room behind it for a longer remaining time.</param>
    /// <param name="headLength">The length of the written header.</param>
    /// <param name="body">The body of the envelope.</param>
    public QueuedPlace Add(in EnvelopeHeader header, Span<byte> head, int headLength, EnvelopeBody body)
    {
        var isTimed = header.RemainingMilliseconds != 0;
        var batch = BatchWithRoom(headLength + body.Length + (isTimed ? Varint.BytesMax : 0));
        if (!isTimed && header.CountedAt is not null && batch.BornAt is not null)
        {
            // The remaining time of this header is part of the body and cannot be corrected, so the envelope begins a
            // new batch.
            Seal();
            batch = BatchWithRoom(headLength + body.Length);
        }

        if (header.CountedAt is { } countedAt)
        {
            batch.BornAt ??= countedAt;
            // The age of a batch counts from its first call. A later call gets the time since then added to its
            // remaining time.
            var since = countedAt - batch.BornAt.Value;
            if (isTimed && (ulong)since >= (ulong)_ticksPerMillisecond)
            {
                var remaining = (long)header.RemainingMilliseconds + (since / _ticksPerMillisecond);
                headLength = (header with { RemainingMilliseconds = (ulong)Math.Max(1, remaining) })
                    .Write(head, body.Length);
            }
        }

        var offset = batch.Add(head[..headLength], body);
        return new QueuedPlace(batch, batch.Ticket, offset, headLength + body.Length);
    }

    /// <summary>Adds a batch that is already filled.</summary>
    public QueuedPlace AddLarge(QueuedBatch batch, long? countedAt)
    {
        Seal();
        batch.Ticket = ++LastTicket;
        batch.BornAt = countedAt;
        _waiting.AddLast(batch.Node);
        return new QueuedPlace(batch, batch.Ticket, 0, batch.Length);
    }

    /// <summary>Takes back an envelope that was not written. False: its batch is being written or was
    /// written.</summary>
    /// <param name="place">The place of the envelope.</param>
    /// <param name="freedBytes">The bytes of its batch if no envelope is left in the batch; else 0.</param>
    public bool TryDrop(in QueuedPlace place, out int freedBytes)
    {
        freedBytes = 0;
        if (place.Batch is not { IsSent: false } batch || batch.Ticket != place.Ticket)
            return false;
        batch.Drop(place.Offset, place.Length);
        if (!batch.IsEmpty)
            return true;
        freedBytes = batch.Length;
        if (batch == _filling)
            batch.Clear();
        else
            Recycle(batch);
        return true;
    }

    /// <summary>Takes the next batch to write. False: no batch waits.</summary>
    /// <param name="batch">The batch.</param>
    /// <param name="freedBytes">The bytes of envelopes that were taken back before.</param>
    public bool TryTake([NotNullWhen(true)] out QueuedBatch? batch, out int freedBytes)
    {
        freedBytes = 0;
        batch = null;
        if (_waiting.Count == 0)
            Seal();
        if (_waiting.First is not { } first)
            return false;
        batch = first.Value;
        _waiting.Remove(first);
        freedBytes = batch.Seal();
        return true;
    }

    /// <summary>Queues written batches again, before all others.</summary>
    public void PutBack(Queue<QueuedBatch> written)
    {
        foreach (var batch in written.Reverse())
            _waiting.AddFirst(batch.Node);
        written.Clear();
    }

    /// <summary>Takes back a batch that is not needed any more, to reuse its buffer.</summary>
    public void Recycle(QueuedBatch batch)
    {
        if (batch.Node.List is not null)
            _waiting.Remove(batch.Node);
        batch.Ticket = 0;
        _hadFullArrays |= GlueWire.Headroom + batch.Length > GlueWire.SmallBatchArrayBytes;
        if (batch.Buffer.Length > GlueWire.BatchArrayBytes || _spare.Count == SpareBatchesMax)
        {
            Return(batch);
            return;
        }

        batch.Clear();
        _spare.Push(batch);
    }

    /// <summary>Returns the spare batches to the shared pool if small arrays were enough since the last call, so that
    /// idle links hold no buffers.</summary>
    public void Trim()
    {
        var needsFullArrays = _hadFullArrays;
        _hadFullArrays = false;
        if (needsFullArrays)
            return;
        while (_spare.TryPop(out var batch))
            Return(batch);
        if (_filling is { Length: 0 } empty)
        {
            Return(empty);
            _filling = null;
        }
    }

    /// <summary>Drops all batches.</summary>
    public void Clear()
    {
        _waiting.Clear();
        _filling = null;
    }

    /// <summary>The time since the remaining times in the batch were correct, in whole milliseconds.</summary>
    public int AgeOf(QueuedBatch batch) =>
        batch.BornAt is { } bornAt
            ? (int)Math.Clamp(time.GetElapsedTime(bornAt).TotalMilliseconds, 0, int.MaxValue)
            : 0;

    private QueuedBatch BatchWithRoom(int length)
    {
        if (_filling is not null && _filling.Length + length > GlueWire.BatchBytesMax)
            Seal();
        if (_filling is not null)
            return _filling;
        _filling = _spare.TryPop(out var spare)
            ? spare
            : new QueuedBatch(ArrayPool<byte>.Shared.Rent(GlueWire.SmallBatchArrayBytes));
        _filling.Ticket = ++LastTicket;
        return _filling;
    }

    private void Seal()
    {
        if (_filling is not { Length: > 0 } batch)
            return;
        _waiting.AddLast(batch.Node);
        _filling = null;
    }
}
