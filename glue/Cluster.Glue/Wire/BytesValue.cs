namespace Cluster.Glue.Wire;

/// <summary>
/// The protobuf message <c>google.protobuf.BytesValue</c> and the gRPC prefix before it, written backwards into the
/// room before a payload so that nothing is copied. Byte-identical to what protobuf writes. Pure.
/// </summary>
internal static class BytesValue
{
    /// <summary>Writes prefix, tag and length before the payload; returns where the frame starts.</summary>
    public static int WriteFrameHeader(byte[] buffer, int payloadStart, int payloadLength)
    {
        int start = payloadStart;
        int messageLength = payloadLength;
        if (payloadLength > 0)
        {
            int varintLength = Varint.SizeOf((ulong)payloadLength);
            start -= varintLength;
            Varint.Write(buffer.AsSpan(start), (ulong)payloadLength);
            buffer[--start] = GlueWire.BytesValueTag;
            messageLength = checked(payloadLength + varintLength + 1);
        }

        start -= GlueWire.GrpcPrefixBytes;
        buffer[start] = 0;
        System.Buffers.Binary.BinaryPrimitives.WriteInt32BigEndian(buffer.AsSpan(start + 1), messageLength);
        return start;
    }

    /// <summary>
    /// Finds the payload in a message. As protobuf rules, the last of several fields counts and none means empty.
    /// </summary>
    public static ReadOnlyMemory<byte> ReadPayload(ReadOnlyMemory<byte> message)
    {
        ReadOnlyMemory<byte> payload = default;
        int at = 0;
        while (at < message.Length)
        {
            ReadOnlySpan<byte> rest = message.Span[at..];
            if (rest[0] != GlueWire.BytesValueTag)
                throw new WireException($"BytesValue: tag 0x{rest[0]:x2} instead of 0x{GlueWire.BytesValueTag:x2}.");
            if (!Varint.TryRead(rest[1..], out ulong length, out int lengthBytes))
                throw new WireException("BytesValue: the length is cut short or longer than 64 bits.");
            int available = rest.Length - 1 - lengthBytes;
            if (length > (ulong)available)
                throw new WireException($"BytesValue: {length} bytes announced, {available} are there.");
            payload = message.Slice(at + 1 + lengthBytes, (int)length);
            at += 1 + lengthBytes + (int)length;
        }

        return payload;
    }
}
