using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Links;

/// <summary>
/// The first message of each side. 1. The opener sends Hello. 2. The accepter answers Welcome with the version agreed
/// on, or ends the stream with a status that says why not. 3. Both take the smaller limits. Stateless.
/// </summary>
internal static class Handshake
{
    public static async ValueTask<Hello> OfferAsync(IMessageStream stream, Hello own)
    {
        await SendAsync(stream, EnvelopeKind.Hello, own);
        return await ReceiveAsync(stream, EnvelopeKind.Welcome);
    }

    /// <exception cref="GrpcStatusException">No common version.</exception>
    public static async ValueTask<Hello> AnswerAsync(IMessageStream stream, Hello own)
    {
        Hello peer = await ReceiveAsync(stream, EnvelopeKind.Hello);
        uint version = peer.AgreeOnVersion() ?? throw new GrpcStatusException(
            GrpcStatus.FailedPrecondition,
            $"Glue protocol versions {peer.VersionLowest} to {peer.VersionHighest} are not spoken here; "
            + $"{own.VersionLowest} to {own.VersionHighest} are.");
        await SendAsync(stream, EnvelopeKind.Welcome, own with { VersionLowest = version, VersionHighest = version });
        return peer;
    }

    private static async ValueTask SendAsync(IMessageStream stream, EnvelopeKind kind, Hello hello)
    {
        var body = new WireBuffer(256, GlueLimits.HandshakeBytesMax);
        hello.Write(body);
        byte[] message = new byte[GlueWire.Headroom + 1 + GlueWire.EnvelopeHeaderBytesMax + body.Count];
        message[GlueWire.Headroom] = GlueWire.BatchVersion;
        int length = 1 + new EnvelopeHeader { Kind = kind }.Write(message.AsSpan(GlueWire.Headroom + 1), body.Count);
        body.WrittenSpan.CopyTo(message.AsSpan(GlueWire.Headroom + length));
        await stream.SendAsync(message, GlueWire.Headroom, length + body.Count);
        body.Reset();
    }

    private static async ValueTask<Hello> ReceiveAsync(IMessageStream stream, EnvelopeKind expected)
    {
        ReadOnlyMemory<byte> payload = await stream.ReceiveAsync()
            ?? throw new WireException($"handshake: the stream ended before {expected}.");
        return Read(payload.Span, expected);
    }

    private static Hello Read(ReadOnlySpan<byte> payload, EnvelopeKind expected)
    {
        WireReader reader = Envelope.OpenBatch(payload);
        Envelope envelope = Envelope.Read(ref reader);
        if (envelope.Kind != expected)
            throw new WireException($"handshake: {envelope.Kind} instead of {expected}.");
        if (!reader.AtEnd)
            throw new WireException($"handshake: more follows {expected} in its message.");
        return Hello.Read(envelope.Body);
    }
}
