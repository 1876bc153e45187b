using Cluster.Glue.Wire;
using Cluster.Slim.Hosting;

namespace Cluster.Glue.Transport;

/// <summary>The protobuf message <c>google.protobuf.BytesValue</c> around a payload. Byte-identical to what protobuf
/// writes. Pure.</summary>
internal static class BytesValue
{
    /// <summary>The longest tag and length before a payload, in bytes.</summary>
    public const int HeadBytesMax = 1 + 5;

    /// <summary>Writes the tag and length before a payload; returns their length. An empty payload has
    /// neither.</summary>
    public static int WriteHead(Span<byte> target, int payloadLength)
    {
        if (payloadLength == 0)
            return 0;
        target[0] = GlueWire.BytesValueTag;
        return 1 + Varint.Write(target[1..], (ulong)payloadLength);
    }

    /// <summary>Finds the payload in a message. As in protobuf, the last of several fields counts, and no field means
    /// empty.</summary>
    public static ReadOnlyMemory<byte> ReadPayload(ReadOnlyMemory<byte> message)
    {
        ReadOnlyMemory<byte> payload = default;
        var at = 0;
        while (at < message.Length)
        {
            var rest = message.Span[at..];
            if (rest[0] != GlueWire.BytesValueTag)
                throw new WireException($"BytesValue: tag 0x{rest[0]:x2} instead of 0x{GlueWire.BytesValueTag:x2}.");
            if (!Varint.TryRead(rest[1..], out var length, out var lengthBytes))
                throw new WireException("BytesValue: the length is cut short or longer than 64 bits.");
            var available = rest.Length - 1 - lengthBytes;
            if (length > (ulong)available)
                throw new WireException($"BytesValue: {length} bytes announced, {available} are there.");
            payload = message.Slice(at + 1 + lengthBytes, (int)length);
            at += 1 + lengthBytes + (int)length;
        }

        return payload;
    }
}
