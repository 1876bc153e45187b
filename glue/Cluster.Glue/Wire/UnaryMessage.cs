namespace Cluster.Glue.Wire;

/// <summary>A batch with one envelope in an array of its own, with room for the framing before it. Pure.</summary>
internal static class UnaryMessage
{
    /// <summary>
    /// A batch without envelopes: the answer to a one-way call. A new array each time, because framing is written
    /// into it.
    /// </summary>
    public static byte[] Empty
    {
        get
        {
            byte[] message = new byte[GlueWire.Headroom + 1];
            message[GlueWire.Headroom] = GlueWire.BatchVersion;
            return message;
        }
    }

    public static byte[] Create(in EnvelopeHeader header, ReadOnlySpan<byte> body)
    {
        Span<byte> head = stackalloc byte[GlueWire.EnvelopeHeaderBytesMax];
        head = head[..header.Write(head, body.Length)];
        byte[] message = new byte[GlueWire.Headroom + 1 + head.Length + body.Length];
        message[GlueWire.Headroom] = GlueWire.BatchVersion;
        head.CopyTo(message.AsSpan(GlueWire.Headroom + 1));
        body.CopyTo(message.AsSpan(GlueWire.Headroom + 1 + head.Length));
        return message;
    }
}
