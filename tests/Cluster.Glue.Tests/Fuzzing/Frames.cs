using System.IO.Compression;
using Cluster.Glue.Tests.Wire;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>The layers of a message, each put around the one inside with right lengths, or with wrong ones where a case
/// asks for that. Written from the wire page, not with Glue's own writers. Pure.</summary>
internal static class Frames
{
    /// <summary>A whole message around envelopes.</summary>
    public static byte[] Of(byte[] envelopes, ulong number = 0, ulong received = 0) =>
        OfPayload([1, .. Varint(number), .. Varint(received), .. envelopes]);

    public static byte[] OfPayload(byte[] payload) =>
        OfMessage(payload.Length == 0 ? [] : [0x0A, .. Varint((ulong)payload.Length), .. payload]);

    public static byte[] OfMessage(byte[] message)
    {
        byte[] frame = [0, 0, 0, 0, 0, .. message];
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(1), message.Length);
        return frame;
    }

    /// <summary>A compressed message that expands to this number of zeros.</summary>
    public static byte[] OfCompressedZeros(int count)
    {
        using var content = new MemoryStream();
        using (var gzip = new GZipStream(content, CompressionLevel.Optimal, leaveOpen: true))
            gzip.Write(new byte[count]);
        var frame = OfMessage(content.ToArray());
        frame[0] = RawGrpc.Compressed;
        return frame;
    }

    public static byte[] Envelope(
        EnvelopeKind kind, ulong id = 0, byte[]? body = null, byte[]? method = null, byte flags = 0) =>
        [(byte)((byte)kind | flags), .. Varint(id), .. method ?? [], .. Block(body ?? [])];

    /// <summary>Magic, version, secret, substream and count of a Join.</summary>
    public static byte[] Join(byte[] secret, byte substream, ulong received) =>
        [.. "GLUE"u8, 2, .. secret, substream, .. Varint(received)];

    public static byte[] Hello(byte[]? secret = null, ulong window = 0, ulong lowest = 2, ulong highest = 2) =>
        [
            .. "GLUE"u8, .. Varint(lowest), .. Varint(highest), .. Text("raw"), .. new byte[16], .. Varint(1 << 20),
            .. Varint(1000), .. secret ?? new byte[16], .. Varint(window),
        ];

    /// <summary>One envelope with its parts.</summary>
    public static RecordedEnvelope Record(
        EnvelopeKind kind, ulong id = 0, byte[]? body = null, byte[]? method = null) =>
        new(kind, id, Envelope(kind, id, body, method), body ?? []);

    public static byte[] Varint(ulong value)
    {
        var bytes = new List<byte>();
        for (; value >= 0x80; value >>= 7)
            bytes.Add((byte)(value | 0x80));
        bytes.Add((byte)value);
        return [.. bytes];
    }

    public static byte[] Block(byte[] bytes) => [.. Varint((ulong)bytes.Length), .. bytes];

    public static byte[] Text(string text) => Block(System.Text.Encoding.UTF8.GetBytes(text));

    /// <summary>The payloads of messages that came one behind the other; what is cut short at the end is left
    /// out.</summary>
    public static List<byte[]> PayloadsIn(ReadOnlySpan<byte> bytes)
    {
        var payloads = new List<byte[]>();
        while (bytes.Length >= 5 && BinaryPrimitives.ReadInt32BigEndian(bytes[1..]) is var length && length <= bytes.Length - 5)
        {
            payloads.Add(BytesValue.ReadPayload(bytes.Slice(5, length).ToArray()).ToArray());
            bytes = bytes[(5 + length)..];
        }

        return payloads;
    }

    /// <summary>The envelopes of one payload, each with its bytes.</summary>
    public static List<RecordedEnvelope> EnvelopesIn(byte[] payload)
    {
        var found = new List<RecordedEnvelope>();
        var reader = BatchHead.Open(payload, out _);
        while (!reader.AtEnd)
        {
            var start = payload.Length - reader.Remaining;
            var envelope = Glue.Wire.Envelope.Read(ref reader);
            var bytes = payload[start..(payload.Length - reader.Remaining)];
            found.Add(new RecordedEnvelope(envelope.Kind, envelope.CallId, bytes, envelope.Body.ToArray()));
        }

        return found;
    }
}
