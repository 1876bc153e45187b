namespace Cluster.Glue.Wire;

/// <summary>
/// What precedes the envelopes of a batch: the version, the number of the batch on its lane, and how many batches the
/// sender has received there. Immutable.
/// </summary>
/// <param name="Number">From 1 in order; 0: outside of the order, as handshakes, unary calls and batches without
/// envelopes are.</param>
/// <param name="ReceivedCount">The number of the last batch received.</param>
internal readonly record struct BatchHead(ulong Number, ulong ReceivedCount)
{
    /// <summary>Writes the head before the envelopes; returns where the payload starts.</summary>
    public int Write(byte[] buffer, int envelopesStart)
    {
        int start = envelopesStart - Varint.SizeOf(ReceivedCount);
        Varint.Write(buffer.AsSpan(start), ReceivedCount);
        start -= Varint.SizeOf(Number);
        Varint.Write(buffer.AsSpan(start), Number);
        buffer[--start] = GlueWire.BatchVersion;
        return start;
    }

    /// <summary>Starts reading a batch: checks its version.</summary>
    public static WireReader Open(ReadOnlySpan<byte> payload, out BatchHead head)
    {
        var reader = new WireReader(payload);
        byte version = reader.ReadByte("batch version");
        if (version != GlueWire.BatchVersion)
            throw new WireException($"batch version: {version} is not known here, {GlueWire.BatchVersion} is.");
        head = new BatchHead(reader.ReadVarint("batch number"), reader.ReadVarint("batches received"));
        return reader;
    }
}
