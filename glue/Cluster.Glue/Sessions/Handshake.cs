using System.Security.Cryptography;
using Cluster.Glue.Settings;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;
using Grpc.Core;

namespace Cluster.Glue.Sessions;

/// <summary>The first messages of each side of a stream. To open a link: 1. The opener sends Hello. 2. The accepter
/// answers Welcome with the version agreed on, or ends the stream with a status that says why not. 3. Both take the
/// smaller limits. Where both sides have sent a nonce: 4. The opener sends Proof. 5. The accepter answers Proven. To
/// carry a substream of an open link: Join and Joined, in which each side says what it has received.
/// Stateless.</summary>
internal static class Handshake
{
    /// <summary>Opens a link. Returns the Hello of the peer, and the link's key if there is a proof.</summary>
    public static async ValueTask<(Hello Peer, LinkKey? Key)> OfferAsync(
        IMessageStream stream, Hello own, PeerKeys? keys)
    {
        var realm = keys is null ? null : RealmOf(keys);
        var welcome = await AskAsync(stream, EnvelopeKind.Hello, own.Write, EnvelopeKind.Welcome)
            .ConfigureAwait(false);
        var peer = welcome.Hello!;
        if (peer.AgreeOnVersion() is null)
        {
            throw new WireException(
                $"handshake: the server speaks protocol version {peer.VersionLowest}, this client "
                + $"{own.VersionLowest} to {own.VersionHighest}.");
        }

        if (keys is null)
            return (peer, null);
        if (peer.Nonce is null)
            throw Unproven("the server proves nothing: it has no PeerIdentity");
        var transcript = new PeerTranscript(realm!, own.ToBytes(), welcome.Body);
        var proof = transcript.ProveOpener(keys.First);
        var proven = await AskAsync(
            stream, EnvelopeKind.Proof, body => body.WriteBlock(proof), EnvelopeKind.Proven).ConfigureAwait(false);
        if (!CryptographicOperations.FixedTimeEquals(transcript.ProveAccepter(keys.First), proven.Proof))
            throw Unproven("the server does not know the secret that this side sends (PeerIdentity.Secrets)");
        return (peer, transcript.KeyOf(keys.First));
    }

    /// <summary>Asks the peer to carry a substream over the stream. Returns how many of its batches the peer has
    /// received.</summary>
    public static async ValueTask<ulong> JoinAsync(
        IMessageStream stream, LinkSettings link, SubstreamRole substream, ulong receivedCount)
    {
        var request = new JoinRequest(GlueWire.ProtocolVersionHighest, link.Secret, substream, receivedCount);
        request = link.Key?.Sign(request) ?? request;
        var joined = await AskAsync(stream, EnvelopeKind.Join, request.Write, EnvelopeKind.Joined)
            .ConfigureAwait(false);
        if (link.Key is { } key
            && !CryptographicOperations.FixedTimeEquals(key.ProveJoined(request, joined.ReceivedCount), joined.Proof))
            throw Unproven("the server has not proven that it joined the stream to the link");
        return joined.ReceivedCount;
    }

    /// <summary>Receives the first message of the opener: a Hello for a new link, or a Join for a substream of an open
    /// link.</summary>
    public static ValueTask<HandshakeMessage> ReceiveAsync(IMessageStream stream) =>
        ReceiveAsync(stream, EnvelopeKind.Hello, EnvelopeKind.Join);

    /// <summary>Makes the answer to a Hello.</summary>
    /// <exception cref="GrpcStatusException">There is no common version.</exception>
    public static Hello AgreeOn(Hello peer, Hello own)
    {
        var version = peer.AgreeOnVersion() ?? throw new GrpcStatusException(
            StatusCode.FailedPrecondition,
            $"Glue protocol versions {peer.VersionLowest} to {peer.VersionHighest} are not spoken here; "
            + $"{own.VersionLowest} to {own.VersionHighest} are.");
        return own with { VersionLowest = version, VersionHighest = version, Link = peer.Link };
    }

    /// <summary>Sends Welcome to an opener that gives no proof.</summary>
    public static ValueTask AnswerAsync(IMessageStream stream, Hello welcome) =>
        SendAsync(stream, EnvelopeKind.Welcome, welcome.Write);

    /// <summary>Asks the opener of a link for its proof. Returns the proof of this side and the key of the
    /// link.</summary>
    /// <exception cref="GrpcStatusException">The opener does not know a secret that this side knows.</exception>
    public static async ValueTask<(byte[] Proof, LinkKey Key)> ChallengeAsync(
        IMessageStream stream, HandshakeMessage hello, Hello welcome, PeerKeys keys)
    {
        var realm = RealmOf(keys);
        await SendAsync(stream, EnvelopeKind.Welcome, welcome.Write).ConfigureAwait(false);
        var message = await ReceiveAsync(stream, EnvelopeKind.Proof).ConfigureAwait(false);
        var transcript = new PeerTranscript(realm, hello.Body, welcome.ToBytes());
        var secret = keys.FindProver(transcript, message.Proof)
            ?? throw Unproven(
                "the proof fits no secret of this server (PeerIdentity.Secrets), or not its realm "
                + "(PeerIdentity.Realm)");
        return (transcript.ProveAccepter(secret), transcript.KeyOf(secret));
    }

    /// <summary>Sends Proven to an opener whose proof is right.</summary>
    public static ValueTask AnswerProofAsync(IMessageStream stream, byte[] proof) =>
        SendAsync(stream, EnvelopeKind.Proven, body => body.WriteBlock(proof));

    public static ValueTask AnswerJoinAsync(
        IMessageStream stream, LinkSettings link, JoinRequest join, ulong receivedCount) =>
        SendAsync(stream, EnvelopeKind.Joined, body =>
        {
            body.WriteVarint(receivedCount);
            if (link.Key is { } key)
                body.WriteBlock(key.ProveJoined(join, receivedCount));
        });

    public static GrpcStatusException Unproven(string reason) => new(StatusCode.Unauthenticated, reason);

    private static string RealmOf(PeerKeys keys) =>
        keys.Realm ?? throw new GrpcStatusException(
            StatusCode.ResourceExhausted,
            "it is not known yet which realm this process belongs to (PeerIdentity.Realm); come again");

    private static async ValueTask<HandshakeMessage> AskAsync(
        IMessageStream stream, EnvelopeKind question, Action<WireBuffer> write, EnvelopeKind answer)
    {
        try
        {
            await SendAsync(stream, question, write).ConfigureAwait(false);
        }
        catch (IOException)
        {
            // The server has ended the stream before it read the question. What it answered says why.
        }

        return await ReceiveAsync(stream, answer).ConfigureAwait(false);
    }

    private static async ValueTask SendAsync(IMessageStream stream, EnvelopeKind kind, Action<WireBuffer> write)
    {
        var body = new WireBuffer(256, GlueLimits.HandshakeBytesMax);
        write(body);
        var message = UnaryMessage.Compose(new EnvelopeHeader { Kind = kind }, body.WrittenSpan);
        body.Reset();
        var payload = default(BatchHead).Write(message, GlueWire.Headroom);
        await stream.SendAsync(message.AsMemory(payload)).ConfigureAwait(false);
    }

    private static async ValueTask<HandshakeMessage> ReceiveAsync(IMessageStream stream, params EnvelopeKind[] expected)
    {
        var payload = await stream.ReceiveAsync().ConfigureAwait(false)
            ?? throw new WireException($"handshake: the stream ended before {expected[0]}.");
        return Read(payload.Span, expected);
    }

    private static HandshakeMessage Read(ReadOnlySpan<byte> payload, EnvelopeKind[] expected)
    {
        var reader = BatchHead.Open(payload, out _);
        var envelope = Envelope.Read(ref reader);
        if (!expected.Contains(envelope.Kind))
            throw new WireException($"handshake: {envelope.Kind} instead of {string.Join(" or ", expected)}.");
        if (!reader.AtEnd)
            throw new WireException($"handshake: more follows {envelope.Kind} in its message.");
        return envelope.Kind switch
        {
            EnvelopeKind.Join => new HandshakeMessage { Join = JoinRequest.Read(envelope.Body) },
            EnvelopeKind.Joined => ReadJoined(envelope.Body),
            EnvelopeKind.Proof or EnvelopeKind.Proven => new HandshakeMessage { Proof = ReadProof(envelope.Body) },
            _ => new HandshakeMessage { Hello = Hello.Read(envelope.Body), Body = envelope.Body.ToArray() },
        };
    }

    private static HandshakeMessage ReadJoined(ReadOnlySpan<byte> body)
    {
        var reader = new WireReader(body);
        return new HandshakeMessage
        {
            ReceivedCount = reader.ReadVarint("joined: batches received"),
            Proof = reader.AtEnd ? null : Hello.ReadHash(ref reader, "joined: proof"),
        };
    }

    private static byte[]? ReadProof(ReadOnlySpan<byte> body)
    {
        var reader = new WireReader(body);
        return Hello.ReadHash(ref reader, "handshake: proof");
    }
}
