namespace Cluster.Glue.Wire;

/// <summary>A batch with one envelope, outside of any substream, in a separate array. Pure.</summary>
internal static class UnaryMessage
{
    /// <summary>A batch without envelopes: the answer to a one-way call.</summary>
    public static ReadOnlyMemory<byte> Empty { get; } = WithHead(new byte[GlueWire.Headroom]);

    public static ReadOnlyMemory<byte> Create(in EnvelopeHeader header, ReadOnlySpan<byte> body) =>
        WithHead(Compose(header, body));

    /// <summary>Writes the envelope with room for the head of the batch before it.</summary>
    public static byte[] Compose(in EnvelopeHeader header, ReadOnlySpan<byte> body)
    {
        var head = header.Headers.IsEmpty
            ? stackalloc byte[GlueWire.EnvelopeHeaderBytesMax]
            : new byte[header.BytesMax];
        head = head[..header.Write(head, body.Length)];
        var message = new byte[GlueWire.Headroom + head.Length + body.Length];
        head.CopyTo(message.AsSpan(GlueWire.Headroom));
        body.CopyTo(message.AsSpan(GlueWire.Headroom + head.Length));
        return message;
    }

    private static ReadOnlyMemory<byte> WithHead(byte[] message) =>
        message.AsMemory(default(BatchHead).Write(message, GlueWire.Headroom));
}
