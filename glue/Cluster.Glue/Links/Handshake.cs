using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Links;

/// <summary>
/// The first message of each side of a stream. To open a link: 1. The opener sends Hello. 2. The accepter answers
/// Welcome with the version agreed on, or ends the stream with a status that says why not. 3. Both take the smaller
/// limits. To carry a lane of an open link: Join and Joined, in which each side says what it has received. Stateless.
/// </summary>
internal static class Handshake
{
    public static async ValueTask<Hello> OfferAsync(IMessageStream stream, Hello own)
    {
        await SendAsync(stream, EnvelopeKind.Hello, own.Write).ConfigureAwait(false);
        return (await ReceiveAsync(stream, EnvelopeKind.Welcome).ConfigureAwait(false)).Hello!;
    }

    /// <summary>Asks to carry a lane; gives what the peer has received on it.</summary>
    public static async ValueTask<ulong> JoinAsync(
        IMessageStream stream, LinkSettings link, LaneRole lane, ulong receivedCount)
    {
        var request = new JoinRequest(GlueWire.ProtocolVersionHighest, link.Secret, lane, receivedCount);
        await SendAsync(stream, EnvelopeKind.Join, request.Write).ConfigureAwait(false);
        return (await ReceiveAsync(stream, EnvelopeKind.Joined).ConfigureAwait(false)).ReceivedCount;
    }

    /// <summary>Receives what the opener of a stream wants: a link, or a lane of one.</summary>
    public static ValueTask<HandshakeMessage> ReceiveAsync(IMessageStream stream)
        => ReceiveAsync(stream, EnvelopeKind.Hello, EnvelopeKind.Join);

    /// <exception cref="GrpcStatusException">No common version.</exception>
    public static async ValueTask AnswerAsync(IMessageStream stream, Hello peer, Hello own)
    {
        uint version = peer.AgreeOnVersion() ?? throw new GrpcStatusException(
            GrpcStatus.FailedPrecondition,
            $"Glue protocol versions {peer.VersionLowest} to {peer.VersionHighest} are not spoken here; "
            + $"{own.VersionLowest} to {own.VersionHighest} are.");
        Hello welcome = own with { VersionLowest = version, VersionHighest = version, Link = peer.Link };
        await SendAsync(stream, EnvelopeKind.Welcome, welcome.Write).ConfigureAwait(false);
    }

    public static ValueTask AnswerJoinAsync(IMessageStream stream, ulong receivedCount)
        => SendAsync(stream, EnvelopeKind.Joined, body => body.WriteVarint(receivedCount));

    private static async ValueTask SendAsync(IMessageStream stream, EnvelopeKind kind, Action<WireBuffer> write)
    {
        var body = new WireBuffer(256, GlueLimits.HandshakeBytesMax);
        write(body);
        byte[] message = UnaryMessage.Compose(new EnvelopeHeader { Kind = kind }, body.WrittenSpan);
        body.Reset();
        int payload = default(BatchHead).Write(message, GlueWire.Headroom);
        await stream.SendAsync(message, payload, message.Length - payload).ConfigureAwait(false);
    }

    private static async ValueTask<HandshakeMessage> ReceiveAsync(IMessageStream stream, params EnvelopeKind[] expected)
    {
        ReadOnlyMemory<byte> payload = await stream.ReceiveAsync().ConfigureAwait(false)
            ?? throw new WireException($"handshake: the stream ended before {expected[0]}.");
        return Read(payload.Span, expected);
    }

    private static HandshakeMessage Read(ReadOnlySpan<byte> payload, EnvelopeKind[] expected)
    {
        WireReader reader = BatchHead.Open(payload, out _);
        Envelope envelope = Envelope.Read(ref reader);
        if (!expected.Contains(envelope.Kind))
            throw new WireException($"handshake: {envelope.Kind} instead of {string.Join(" or ", expected)}.");
        if (!reader.AtEnd)
            throw new WireException($"handshake: more follows {envelope.Kind} in its message.");
        return envelope.Kind switch
        {
            EnvelopeKind.Join => new HandshakeMessage { Join = JoinRequest.Read(envelope.Body) },
            EnvelopeKind.Joined => new HandshakeMessage { ReceivedCount = ReadJoined(envelope.Body) },
            _ => new HandshakeMessage { Hello = Hello.Read(envelope.Body) },
        };
    }

    private static ulong ReadJoined(ReadOnlySpan<byte> body)
        => new WireReader(body).ReadVarint("joined: batches received");
}
