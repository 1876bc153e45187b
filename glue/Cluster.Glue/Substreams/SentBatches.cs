using Cluster.Glue.Wire;

namespace Cluster.Glue.Substreams;

/// <summary>The written batches of a substream. Each is kept until the peer has confirmed it, and is not reused before
/// its write has ended. Guarded by the lock of its writer.</summary>
/// <param name="queue">Takes batches back for reuse.</param>
/// <param name="keepsBatches">Whether the peer confirms batches. If not, a batch is freed after its write.</param>
internal sealed class SentBatches(BatchQueue queue, bool keepsBatches)
{
    private readonly Queue<QueuedBatch> _unconfirmed = new();
    private QueuedBatch? _writing;
    private bool _isWritingConfirmed;
    private long _bytes;
    private ulong _writtenCount;
    private ulong _confirmedCount;
    private ulong _writtenTicket;
    private ulong _confirmedTicket;

    /// <summary>Bytes of the kept batches. Read without the lock, too.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>How many batches the peer has confirmed. Read without the lock, too.</summary>
    public ulong ConfirmedCount => Volatile.Read(ref _confirmedCount);

    /// <summary>Whether a batch is kept that the peer may not have received.</summary>
    public bool HasUnconfirmed => _unconfirmed.Count > 0;

    /// <summary>Whether the peer has handled the batch and all batches before it, as far as this side knows.</summary>
    public bool IsReceived(ulong ticket) => (keepsBatches ? _confirmedTicket : _writtenTicket) >= ticket;

    /// <summary>Notes the batch that is written next. Returns its number.</summary>
    public ulong Begin(QueuedBatch batch)
    {
        _writing = batch;
        _writtenTicket = batch.Ticket;
        _bytes += batch.Length;
        if (keepsBatches)
            _unconfirmed.Enqueue(batch);
        else
            _isWritingConfirmed = true;
        return ++_writtenCount;
    }

    /// <summary>Notes that the write has ended. Returns the bytes that became free because the peer had confirmed the
    /// batch meanwhile.</summary>
    public int EndWriting()
    {
        var freedBytes = _isWritingConfirmed ? Recycle(_writing!) : 0;
        _writing = null;
        _isWritingConfirmed = false;
        return freedBytes;
    }

    /// <summary>Takes the peer's count of received batches. Returns the bytes that became free.</summary>
    /// <exception cref="WireException">The count is higher than the number of sent batches, or lower than an earlier
    /// count.</exception>
    public int Confirm(ulong count)
    {
        if (count < _confirmedCount || count - _confirmedCount > (ulong)_unconfirmed.Count)
        {
            throw new WireException(
                $"batches received: {count} are claimed, {_confirmedCount} to "
                + $"{_confirmedCount + (ulong)_unconfirmed.Count} can be.");
        }

        var freedBytes = 0;
        while (_confirmedCount < count)
        {
            var batch = _unconfirmed.Dequeue();
            _confirmedCount++;
            _confirmedTicket = batch.Ticket;
            if (batch == _writing)
                _isWritingConfirmed = true;
            else
                freedBytes += Recycle(batch);
        }

        return freedBytes;
    }

    /// <summary>Queues all batches that the peer has not confirmed again, before all others.</summary>
    public void PutBack()
    {
        _writtenCount = _confirmedCount;
        if (_unconfirmed.Count == 0)
            return;
        queue.PutBack(_unconfirmed);
        _bytes = 0;
    }

    /// <summary>Drops all batches. The array of the batch that is being written is not reused.</summary>
    public void Clear()
    {
        _unconfirmed.Clear();
        _writing = null;
        _isWritingConfirmed = false;
        _bytes = 0;
    }

    private int Recycle(QueuedBatch batch)
    {
        var length = batch.Length;
        queue.Recycle(batch);
        _bytes -= length;
        return length;
    }
}
