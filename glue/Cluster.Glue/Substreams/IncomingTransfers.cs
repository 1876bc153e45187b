using Cluster.Glue.Settings;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Substreams;

/// <summary>Puts together the large envelopes that arrive on one substream in chunks. Memory grows with the bytes that
/// have arrived, never with an announced length. Only the substream's read loop, its owner, uses it.</summary>
internal sealed class IncomingTransfers(LinkSettings settings, TransferRoom room)
{
    private readonly Dictionary<ulong, Transfer> _open = [];
    private ulong _lastId;

    /// <summary>Takes one chunk. Returns the transfer if the chunk completes it, else null.</summary>
    /// <param name="chunk">The chunk.</param>
    /// <param name="sentAt">When the remaining time in a first chunk was correct, as a timestamp.</param>
    /// <exception cref="WireException">The chunk breaks the protocol.</exception>
    public Transfer? Take(in Envelope chunk, long sentAt)
    {
        if (chunk.CallId > _lastId)
        {
            Begin(chunk, sentAt);
            return null;
        }

        if (!_open.TryGetValue(chunk.CallId, out var transfer))
            throw new WireException($"chunk: transfer {chunk.CallId} has ended, {_lastId} was begun last.");
        if (!chunk.Body.IsEmpty && !transfer.Add(chunk.Body))
            return null;
        _open.Remove(chunk.CallId);
        room.GiveBack(transfer.Length);
        if (!chunk.Body.IsEmpty)
            return transfer;
        transfer.Drop();
        return null;
    }

    /// <summary>Drops all incomplete transfers.</summary>
    public void Clear()
    {
        foreach (var transfer in _open.Values)
            transfer.Drop();
        _open.Clear();
    }

    private static bool IsEverLarge(EnvelopeKind kind) =>
        kind is EnvelopeKind.Call or EnvelopeKind.OneWay or EnvelopeKind.Reply or EnvelopeKind.Fault
            or EnvelopeKind.Bound;

    private void Begin(in Envelope chunk, long sentAt)
    {
        if (_open.Count == GlueWire.TransfersMax)
            throw new WireException($"chunk: {GlueWire.TransfersMax} transfers are under way; none may begin.");
        var reader = new WireReader(chunk.Body);
        var length = reader.ReadLength(settings.MaxMessageBytes, "length of a transfer (MaxMessageBytes)");
        if (length == 0)
            throw new WireException("chunk: a transfer without body.");
        var transfer = new Transfer(reader.Rest.ToArray(), length, sentAt);
        if (!IsEverLarge(transfer.Kind))
            throw new WireException($"chunk: a {transfer.Kind} is never that large.");
        if (!room.TryTake(length))
        {
            throw new WireException(
                $"chunk: {length} bytes do not fit beside the transfers that are under way on this link; all of them "
                + $"may have {room.BytesMax}.");
        }

        _lastId = chunk.CallId;
        _open.Add(chunk.CallId, transfer);
    }

    /// <summary>One envelope that arrives in chunks.</summary>
    public sealed class Transfer
    {
        private const int InitialBytesMax = 64 * 1024;

        private readonly byte[] _head;
        private readonly int _length;
        private readonly WireBuffer _body;

        public Transfer(byte[] head, int length, long beganAt)
        {
            _head = head;
            _length = length;
            _body = new WireBuffer(0, length);
            BeganAt = beganAt;
            var reader = new WireReader(head);
            Kind = Envelope.ReadHead(ref reader).Kind;
            if (!reader.AtEnd)
                throw new WireException($"chunk: {reader.Remaining} bytes follow the head of a {Kind}.");
        }

        public EnvelopeKind Kind { get; }

        /// <summary>The length of the whole body in bytes.</summary>
        public int Length => _length;

        /// <summary>When the remaining time in the first chunk was correct, as a timestamp.</summary>
        public long BeganAt { get; }

        public ReadOnlySpan<byte> Head => _head;

        /// <summary>Adds a piece. True: the body is complete.</summary>
        public bool Add(ReadOnlySpan<byte> piece)
        {
            if (piece.Length > _length - _body.Count)
            {
                throw new WireException(
                    $"chunk: {_body.Count + piece.Length} bytes of a transfer that announced {_length}.");
            }

            if (_body.Count == 0)
                _body.GetSpan(Math.Min(_length, InitialBytesMax));
            _body.WriteBytes(piece);
            return _body.Count == _length;
        }

        public PooledBytes Complete() => _body.Detach();

        public void Drop() => _body.Reset();
    }
}
