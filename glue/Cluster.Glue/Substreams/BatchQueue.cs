using Cluster.Glue.Wire;

namespace Cluster.Glue.Substreams;

/// <summary>The batches of a substream that wait to be written, and the one that is being filled. Guarded by the lock
/// of its writer.</summary>
internal sealed class BatchQueue(TimeProvider time)
{
    // A substream without many batches under way asks nobody for arrays.
    private const int SpareBatchesMax = 8;

    private readonly long _ticksPerMillisecond = Math.Max(1, time.TimestampFrequency / 1000);
    private readonly Stack<QueuedBatch> _spare = new();
    private readonly LinkedList<QueuedBatch> _waiting = new();
    private QueuedBatch? _filling;
    private bool _hadFullArrays;

    /// <summary>Nothing waits.</summary>
    public bool IsEmpty => _waiting.Count == 0 && _filling is not { Length: > 0 };

    /// <summary>Of the batch that ends with what was added last.</summary>
    public ulong LastTicket { get; private set; }

    /// <summary>A batch for one large envelope and no other; filled outside of the lock.</summary>
    public static QueuedBatch RentLarge(int length) =>
        new(ArrayPool<byte>.Shared.Rent(checked(GlueWire.Headroom + length)));

    public static void Return(QueuedBatch batch) => ArrayPool<byte>.Shared.Return(batch.Buffer);

    public static bool IsLarge(int length) => length > GlueWire.BatchBytesMax;

    /// <summary>Adds an envelope; returns where it lies.</summary>
    /// <param name="header">Of the envelope.</param>
    /// <param name="head">What was written of the header; there is room behind for a longer number.</param>
    /// <param name="headLength">How long that is.</param>
    /// <param name="body">Of the envelope.</param>
    public QueuedPlace Add(in EnvelopeHeader header, Span<byte> head, int headLength, ReadOnlySpan<byte> body)
    {
        var isTimed = header.RemainingMilliseconds != 0;
        var batch = BatchWithRoom(headLength + body.Length + (isTimed ? Varint.BytesMax : 0));
        if (!isTimed && header.CountedAt is not null && batch.BornAt is not null)
        {
            // A time that is not named here cannot be changed.
            Seal();
            batch = BatchWithRoom(headLength + body.Length);
        }

        if (header.CountedAt is { } countedAt)
        {
            batch.BornAt ??= countedAt;
            // The age of the batch counts from its first call, so that of a later one has to.
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

    /// <summary>Adds a batch that was filled already.</summary>
    public QueuedPlace AddLarge(QueuedBatch batch, long? countedAt)
    {
        Seal();
        batch.Ticket = ++LastTicket;
        batch.BornAt = countedAt;
        _waiting.AddLast(batch.Node);
        return new QueuedPlace(batch, batch.Ticket, 0, batch.Length);
    }

    /// <summary>Takes back an envelope that was not written; false when it is too late.</summary>
    /// <param name="place">Of the envelope.</param>
    /// <param name="freedBytes">Of its batch, if nothing is left in that.</param>
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

    /// <summary>Takes the next batch to write; false when nothing waits.</summary>
    /// <param name="batch">The batch.</param>
    /// <param name="freedBytes">Of what was taken back meanwhile.</param>
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

    /// <summary>What was written is to be written again, before all others.</summary>
    public void PutBack(Queue<QueuedBatch> written)
    {
        foreach (var batch in written.Reverse())
            _waiting.AddFirst(batch.Node);
        written.Clear();
    }

    /// <summary>A batch is not needed any more; its buffer is used again.</summary>
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

    /// <summary>Gives the spare batches to other substreams when small arrays were enough since the last time, so that
    /// links that nobody uses hold no buffers.</summary>
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

    /// <summary>Forgets all that waits.</summary>
    public void Clear()
    {
        _waiting.Clear();
        _filling = null;
    }

    /// <summary>How long ago the times in a batch were true, in whole milliseconds.</summary>
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
