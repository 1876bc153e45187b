using Cluster.Glue.Wire;

namespace Cluster.Glue.Substreams;

/// <summary>The batches of a substream that were written: each is kept until the peer has said that it received it, and
/// not reused before its write has ended. Guarded by the lock of its writer.</summary>
/// <param name="queue">Takes batches back.</param>
/// <param name="keepsBatches">Whether the peer says what it receives; else a batch is over with its write.</param>
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

    /// <summary>Bytes of the batches that are kept. Read without the lock, too.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>The batches that the peer has received. Read without the lock, too.</summary>
    public ulong ConfirmedCount => Volatile.Read(ref _confirmedCount);

    /// <summary>Whether a batch is kept that the peer may not have.</summary>
    public bool HasUnconfirmed => _unconfirmed.Count > 0;

    /// <summary>Whether the peer has handled a batch and all before it, as far as can be known here.</summary>
    public bool IsReceived(ulong ticket) => (keepsBatches ? _confirmedTicket : _writtenTicket) >= ticket;

    /// <summary>A batch is written next; gives its number.</summary>
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

    /// <summary>The write has ended; gives the bytes of a batch that the peer has received meanwhile.</summary>
    public int EndWriting()
    {
        var freedBytes = _isWritingConfirmed ? Recycle(_writing!) : 0;
        _writing = null;
        _isWritingConfirmed = false;
        return freedBytes;
    }

    /// <summary>The peer says how many batches it has received; gives the bytes that are free now.</summary>
    /// <exception cref="WireException">More than were sent, or fewer than it said before.</exception>
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

    /// <summary>What the peer has not received is to be written again, before all others.</summary>
    public void PutBack()
    {
        _writtenCount = _confirmedCount;
        if (_unconfirmed.Count == 0)
            return;
        queue.PutBack(_unconfirmed);
        _bytes = 0;
    }

    /// <summary>Forgets all batches. One that is being written is not used again.</summary>
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
