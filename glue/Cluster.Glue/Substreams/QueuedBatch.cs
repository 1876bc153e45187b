using Cluster.Glue.Wire;

namespace Cluster.Glue.Substreams;

/// <summary>One batch of a substream: filled, queued, written, and kept until the peer has received it. Reused; guarded
/// by the lock of its substream's writer. Its array comes from the shared pool.</summary>
internal sealed class QueuedBatch
{
    private List<(int Offset, int Length)>? _dropped;
    private int _droppedBytes;

    /// <param name="buffer">The envelopes lie behind the headroom.</param>
    public QueuedBatch(byte[] buffer)
    {
        Buffer = buffer;
        Node = new LinkedListNode<QueuedBatch>(this);
    }

    public byte[] Buffer { get; private set; }

    /// <summary>The length of its envelopes in bytes.</summary>
    public int Length { get; private set; }

    /// <summary>The number of the batch. It orders the batches of a substream, and differs each time the object is
    /// reused.</summary>
    public ulong Ticket { get; set; }

    /// <summary>When the remaining times in the batch were correct, as a timestamp. Null: the batch has no remaining
    /// times.</summary>
    public long? BornAt { get; set; }

    /// <summary>Whether it is being written or was written: its envelopes may have arrived.</summary>
    public bool IsSent { get; private set; }

    /// <summary>The place in the queue of waiting batches.</summary>
    public LinkedListNode<QueuedBatch> Node { get; }

    /// <summary>Whether all its envelopes were dropped.</summary>
    public bool IsEmpty => Length == _droppedBytes;

    /// <summary>Adds an envelope that fits into a full batch. Returns its offset.</summary>
    public int Add(ReadOnlySpan<byte> head, EnvelopeBody body)
    {
        var offset = Length;
        if (GlueWire.Headroom + offset + head.Length + body.Length > Buffer.Length)
            Grow();
        var room = Buffer.AsSpan(GlueWire.Headroom + offset);
        head.CopyTo(room);
        body.CopyTo(room[head.Length..]);
        Length += head.Length + body.Length;
        return offset;
    }

    /// <summary>Marks an envelope as dropped. Its bytes count until the batch is empty or written.</summary>
    public void Drop(int offset, int length)
    {
        (_dropped ??= []).Add((offset, length));
        _droppedBytes += length;
    }

    /// <summary>Removes the dropped envelopes before the batch is written. Returns their bytes.</summary>
    public int Seal()
    {
        IsSent = true;
        if (_dropped is not { Count: > 0 })
            return 0;
        _dropped.Sort();
        var envelopes = Buffer.AsSpan(GlueWire.Headroom, Length);
        var kept = _dropped[0].Offset;
        for (var i = 0; i < _dropped.Count; i++)
        {
            var next = _dropped[i].Offset + _dropped[i].Length;
            var end = i + 1 < _dropped.Count ? _dropped[i + 1].Offset : Length;
            envelopes[next..end].CopyTo(envelopes[kept..]);
            kept += end - next;
        }

        var removed = _droppedBytes;
        ForgetDropped();
        Length = kept;
        return removed;
    }

    public void Clear()
    {
        Length = 0;
        BornAt = null;
        IsSent = false;
        ForgetDropped();
    }

    private void Grow()
    {
        var full = ArrayPool<byte>.Shared.Rent(GlueWire.BatchArrayBytes);
        Buffer.AsSpan(GlueWire.Headroom, Length).CopyTo(full.AsSpan(GlueWire.Headroom));
        ArrayPool<byte>.Shared.Return(Buffer);
        Buffer = full;
    }

    private void ForgetDropped()
    {
        _dropped?.Clear();
        _droppedBytes = 0;
    }
}
