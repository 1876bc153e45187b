using Cluster.Glue.Client;
using Cluster.Glue.References;
using Cluster.Glue.Wire;
using Cluster.Slim.Hosting;

namespace Cluster.Glue.Substreams;

/// <summary>One envelope on its way over the bulk substream: in chunks, or whole if it is small and only follows a
/// large one. The sender's lock guards the members that other threads see; the sender's pump uses the rest.</summary>
/// <param name="header">The header of the envelope. It names the method, because handles belong to other
/// substreams.</param>
/// <param name="body">Released when the transfer ends.</param>
/// <param name="deadline">The deadline of the call, as a timestamp; 0: none.</param>
internal sealed class OutgoingTransfer(EnvelopeHeader header, PooledBytes body, long deadline)
{
    private ulong _id;
    private int _sentBytes;
    private bool _hasRoom;

    public ulong CallId => header.CallId;

    public bool IsAnswer => header.Kind is EnvelopeKind.Reply or EnvelopeKind.Fault;

    /// <summary>Whether this is a call for which no served call waits.</summary>
    public bool IsFirst { get; init; }

    public int Bytes => body.Count;

    /// <summary>The place in its order; null: it has left the queue.</summary>
    public LinkedListNode<OutgoingTransfer>? Node { get; set; }

    public OrderedTransfers? Order { get; set; }

    /// <summary>Whether nobody waits for it any more. Written under the sender's lock.</summary>
    public bool IsAbandoned { get; set; }

    /// <summary>Whether its first chunk is on the substream. Read by the pump, or while the pump is at another
    /// transfer.</summary>
    public bool HasBegun => _id != 0;

    /// <summary>Whether all of it is on the substream.</summary>
    public bool IsSent => _sentBytes == body.Count;

    /// <summary>Appends the next piece to the substream. If the substream is full or closed, nothing changes.</summary>
    /// <param name="writer">The writer of the substream.</param>
    /// <param name="heldBytesMax">If more bytes are held on the substream, the piece waits.</param>
    /// <param name="lastId">The id of the last transfer that was begun on the substream.</param>
    /// <param name="time">The clock of the deadline.</param>
    /// <param name="isDone">True when no piece is left.</param>
    public StartResult TryAppend(
        SubstreamWriter writer, long heldBytesMax, ref ulong lastId, TimeProvider time, out bool isDone)
    {
        isDone = true;
        if (IsAbandoned)
            return HasBegun ? writer.TryAppend(ChunkHeader, default, heldBytesMax) : StartResult.Started;
        if (!HasBegun && !IsLarge)
            return TrySendWhole(writer, heldBytesMax, time);
        isDone = false;
        return HasBegun
            ? TryContinue(writer, heldBytesMax, out isDone)
            : TryBegin(writer, heldBytesMax, ref lastId, time);
    }

    /// <summary>Takes room for a transfer in chunks. False: there is not enough room.</summary>
    public bool TryTakeRoom(TransferRoom room)
    {
        // The transfer takes its room once, although this runs again when it is still in the queue.
        if (_hasRoom || !IsLarge)
            return true;
        _hasRoom = room.TryTake(body.Count);
        return _hasRoom;
    }

    public void GiveRoomBack(TransferRoom room)
    {
        if (_hasRoom)
            room.GiveBack(body.Count);
        _hasRoom = false;
    }

    public void Release() => body.Release();

    /// <summary>Ends a transfer that has left the queue. If the peer did not get all of it, references in the body are
    /// taken back here. No caller can do that, because the pump may have been sending the call when it was given
    /// up.</summary>
    public void End(ReferenceTable references)
    {
        if (!IsSent && header.Kind != EnvelopeKind.Fault)
            IncomingReferences.TakeBack(body.Span, references);
        Release();
    }

    private bool IsLarge => body.Count > GlueWire.WholeBodyBytesMax;

    private EnvelopeHeader ChunkHeader => new() { Kind = EnvelopeKind.Chunk, CallId = _id };

    private StartResult TrySendWhole(SubstreamWriter writer, long heldBytesMax, TimeProvider time)
    {
        var result = writer.TryAppend(Current(time), body.Span, heldBytesMax);
        if (result == StartResult.Started)
            _sentBytes = body.Count;
        return result;
    }

    private StartResult TryBegin(SubstreamWriter writer, long heldBytesMax, ref ulong lastId, TimeProvider time)
    {
        var head = Current(time);
        var first = head.Headers.IsEmpty
            ? stackalloc byte[Varint.BytesMax + GlueWire.EnvelopeHeaderBytesMax]
            : new byte[Varint.BytesMax + head.BytesMax];
        var length = Varint.Write(first, (ulong)body.Count);
        length += head.WriteHead(first[length..]);
        _id = lastId + 1;
        var result = writer.TryAppend(
            ChunkHeader with { CountedAt = head.CountedAt }, first[..length], heldBytesMax);
        if (result == StartResult.Started)
            lastId = _id;
        else
            _id = 0;
        return result;
    }

    private StartResult TryContinue(SubstreamWriter writer, long heldBytesMax, out bool isDone)
    {
        var length = Math.Min(GlueWire.ChunkBytesMax, body.Count - _sentBytes);
        var result = writer.TryAppend(ChunkHeader, body.Span.Slice(_sentBytes, length), heldBytesMax);
        if (result == StartResult.Started)
            _sentBytes += length;
        isDone = IsSent;
        return result;
    }

    // The remaining time must not include the time in the queue.
    private EnvelopeHeader Current(TimeProvider time)
    {
        if (deadline == 0)
            return header;
        var now = time.GetTimestamp();
        return header with
        {
            RemainingMilliseconds = CallDeadline.ToWire(time.GetElapsedTime(now, deadline)),
            CountedAt = now,
        };
    }
}
