using Cluster.Glue.Client;
using Cluster.Glue.References;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Substreams;

/// <summary>One envelope on its way over the bulk substream: in chunks, or whole if it is small and merely follows a
/// large one. Guarded by its sender: its lock for what others see, its pump for the rest.</summary>
/// <param name="header">Of the envelope; it names its method, because handles belong to other substreams.</param>
/// <param name="body">Released when the transfer ends.</param>
/// <param name="deadline">Of the call, as a timestamp; 0: none.</param>
internal sealed class OutgoingTransfer(EnvelopeHeader header, PooledBytes body, long deadline)
{
    private ulong _id;
    private int _sentBytes;
    private bool _hasRoom;

    public ulong CallId => header.CallId;

    public bool IsAnswer => header.Kind is EnvelopeKind.Reply or EnvelopeKind.Fault;

    /// <summary>A call for which nothing waits that is served.</summary>
    public bool IsFirst { get; init; }

    public int Bytes => body.Count;

    /// <summary>What it travels with, and its place there.</summary>
    public LinkedListNode<OutgoingTransfer>? Node { get; set; }

    public OrderedTransfers? Order { get; set; }

    /// <summary>Nobody waits for it any more. Written under the sender's lock.</summary>
    public bool IsAbandoned { get; set; }

    /// <summary>A part of it was handed to the substream. For the pump, or while that is at another transfer.</summary>
    public bool HasBegun => _id != 0;

    /// <summary>All of it was handed to the substream.</summary>
    public bool IsSent => _sentBytes == body.Count;

    /// <summary>Appends the next piece to a substream; full or closed: nothing has changed.</summary>
    /// <param name="writer">Of the substream.</param>
    /// <param name="heldBytesMax">Bytes on the substream above which it waits.</param>
    /// <param name="lastId">The number of the last transfer that was begun there.</param>
    /// <param name="time">The clock of the deadline.</param>
    /// <param name="isDone">True when nothing is left.</param>
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

    /// <summary>Takes room for its chunks when it begins; false when there is none.</summary>
    public bool TryTakeRoom(TransferRoom room)
    {
        // Once: it comes here with each of its turns.
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

    /// <summary>It has left the queue. What it hands over belongs to this side on, where the peer does not get all of
    /// it: no caller can know that, because the pump may have been at it when the call was given up.</summary>
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

    // Time that passed in the queue is not the method's any more.
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
