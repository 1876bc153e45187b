namespace Cluster.Glue.Wire;

/// <summary>What precedes the envelopes of a batch: its form, the number of the batch on its substream, how many
/// batches the sender has received there, and how long its calls have waited to be written. Immutable.</summary>
/// <param name="Number">From 1 in order; 0: outside of the order, as handshakes, unary calls and batches without
/// envelopes are.</param>
/// <param name="ReceivedCount">The number of the last batch received.</param>
/// <param name="AgeMilliseconds">How long ago the remaining times of its envelopes were true.</param>
internal readonly record struct BatchHead(ulong Number, ulong ReceivedCount, int AgeMilliseconds = 0)
{
    /// <summary>Writes the head before the envelopes; returns where the payload starts.</summary>
    public int Write(byte[] buffer, int envelopesStart)
    {
        var start = envelopesStart;
        if (AgeMilliseconds > 0)
        {
            start -= Varint.SizeOf((ulong)AgeMilliseconds);
            Varint.Write(buffer.AsSpan(start), (ulong)AgeMilliseconds);
        }

        start -= Varint.SizeOf(ReceivedCount);
        Varint.Write(buffer.AsSpan(start), ReceivedCount);
        start -= Varint.SizeOf(Number);
        Varint.Write(buffer.AsSpan(start), Number);
        buffer[--start] = AgeMilliseconds > 0 ? GlueWire.AgedBatchForm : GlueWire.BatchForm;
        return start;
    }

    /// <summary>Starts reading a batch: checks its form.</summary>
    public static WireReader Open(ReadOnlySpan<byte> payload, out BatchHead head)
    {
        var reader = new WireReader(payload);
        var form = reader.ReadByte("batch form");
        if (form is not (GlueWire.BatchForm or GlueWire.AgedBatchForm))
        {
            throw new WireException(
                $"batch form: {form} is not known here, {GlueWire.BatchForm} and {GlueWire.AgedBatchForm} are.");
        }

        var number = reader.ReadVarint("batch number");
        var received = reader.ReadVarint("batches received");
        head = new BatchHead(
            number, received, form == GlueWire.AgedBatchForm ? reader.ReadLength(int.MaxValue, "batch age") : 0);
        return reader;
    }
}
