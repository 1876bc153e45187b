namespace Cluster.Glue.Wire;

/// <summary>
/// A batch with one envelope, outside of any lane, framed in an array of its own. Pure.
/// </summary>
internal static class UnaryMessage
{
    /// <summary>
    /// A batch without envelopes: the answer to a one-way call.
    /// </summary>
    public static ReadOnlyMemory<byte> Empty { get; } = Frame(new byte[GlueWire.Headroom]);

    public static ReadOnlyMemory<byte> Create(in EnvelopeHeader header, ReadOnlySpan<byte> body)
        => Frame(Compose(header, body));

    /// <summary>The envelope with room for head and framing before it.</summary>
    public static byte[] Compose(in EnvelopeHeader header, ReadOnlySpan<byte> body)
    {
        Span<byte> head = header.Headers.IsEmpty
            ? stackalloc byte[GlueWire.EnvelopeHeaderBytesMax]
            : new byte[header.BytesMax];
        head = head[..header.Write(head, body.Length)];
        byte[] message = new byte[GlueWire.Headroom + head.Length + body.Length];
        head.CopyTo(message.AsSpan(GlueWire.Headroom));
        body.CopyTo(message.AsSpan(GlueWire.Headroom + head.Length));
        return message;
    }

    private static ReadOnlyMemory<byte> Frame(byte[] message)
    {
        int payload = default(BatchHead).Write(message, GlueWire.Headroom);
        return message.AsMemory(BytesValue.WriteFrameHeader(message, payload, message.Length - payload));
    }
}
