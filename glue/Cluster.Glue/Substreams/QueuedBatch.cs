using Cluster.Glue.Wire;

namespace Cluster.Glue.Substreams;

/// <summary>One batch of a substream while it is filled, waits, is written, and is kept until the peer has it. Reused;
/// guarded by the lock of its substream's writer. Its array is of the shared pool.</summary>
internal sealed class QueuedBatch
{
    private List<(int Offset, int Length)>? _dropped;
    private int _droppedBytes;

    /// <param name="buffer">Its envelopes lie behind the headroom.</param>
    public QueuedBatch(byte[] buffer)
    {
        Buffer = buffer;
        Node = new LinkedListNode<QueuedBatch>(this);
    }

    public byte[] Buffer { get; private set; }

    /// <summary>Bytes of its envelopes.</summary>
    public int Length { get; private set; }

    /// <summary>Tells it from the batches that used the object before, and orders the batches of a substream.</summary>
    public ulong Ticket { get; set; }

    /// <summary>The remaining times in it were true then, as a timestamp; null: there are none in it.</summary>
    public long? BornAt { get; set; }

    /// <summary>It is being written, or was: what is in it may have arrived.</summary>
    public bool IsSent { get; private set; }

    /// <summary>Its place among those that wait.</summary>
    public LinkedListNode<QueuedBatch> Node { get; }

    /// <summary>Nothing of it is wanted.</summary>
    public bool IsEmpty => Length == _droppedBytes;

    /// <summary>Adds an envelope, for which there is room in a full batch; returns where it begins.</summary>
    public int Add(ReadOnlySpan<byte> head, ReadOnlySpan<byte> body)
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

    /// <summary>Marks an envelope as not wanted; its bytes count until the batch is empty or written.</summary>
    public void Drop(int offset, int length)
    {
        (_dropped ??= []).Add((offset, length));
        _droppedBytes += length;
    }

    /// <summary>It is about to be written: what was dropped is taken out. Returns how many bytes that were.</summary>
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

    /// <summary>Forgets its envelopes.</summary>
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
