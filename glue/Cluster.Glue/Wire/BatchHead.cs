using Cluster.Slim.Hosting;

namespace Cluster.Glue.Wire;

/// <summary>The bytes before the envelopes of a batch: its form, its number on the substream, how many batches the
/// sender has received there, and how long its calls have waited to be written. Immutable.</summary>
/// <param name="Number">Counts from 1. 0: the batch has no place in the order; so do handshakes, unary calls and
/// batches without envelopes.</param>
/// <param name="ReceivedCount">The number of the last batch received.</param>
/// <param name="AgeMilliseconds">The time since the remaining times of its envelopes were correct.</param>
internal readonly record struct BatchHead(ulong Number, ulong ReceivedCount, int AgeMilliseconds = 0)
{
    /// <summary>Writes the head before the envelopes; returns the offset of the payload.</summary>
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

    /// <summary>Begins to read a batch: reads the head and checks its form.</summary>
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
