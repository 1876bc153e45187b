using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Protocol.Frames;

namespace Cluster.StateStore.Protocol.Wire;

/// <summary>The bytes of copies of partitions. Stateless.</summary>
internal static class CopyFrames
{
    private const byte IsLastFlag = 1;

    public static void Write(CopyAsk ask, FormatWriter to)
    {
        to.Varint((uint)ask.Partition.Value);
        to.Varint((ulong)ask.Epoch);
        to.Varint((ulong)ask.Copy);
    }

    public static void Write(CopyAck ack, FormatWriter to)
    {
        Write(ack.Ask, to);
        to.Varint((ulong)ack.Scan);
        to.Varint((uint)ack.Next);
    }

    public static void Write(CopyChunk chunk, FormatWriter to)
    {
        Write(chunk.Ask, to);
        to.Varint((ulong)chunk.Scan);
        to.Varint((uint)chunk.Index);
        to.UInt64(chunk.Start.Value);
        to.Byte(chunk.IsLast ? IsLastFlag : (byte)0);
        to.Varint((ulong)chunk.Time);
        RecordFormat.Write(chunk.Records, to);
        RecordFormat.Write(chunk.Requests, to);
    }

    public static CopyAsk ReadAsk(ref FrameReader input) => new(input.Partition(), input.Epoch(), input.Int64());

    public static CopyAck ReadAck(ref FrameReader input) =>
        new(ReadAsk(ref input), input.Int64(), ReadIndex(ref input));

    public static CopyChunk ReadChunk(ref FrameReader input)
    {
        var (ask, scan, index, start) = (ReadAsk(ref input), input.Int64(), ReadIndex(ref input), input.Entry());
        var (isLast, time) = (input.Flags(IsLastFlag) != 0, input.Int64());
        return new CopyChunk(ask, scan, index, start, RecordFormat.ReadRecords(ref input))
        {
            Requests = RecordFormat.ReadRequests(ref input),
            IsLast = isLast,
            Time = time,
        };
    }

    private static int ReadIndex(ref FrameReader input)
    {
        var index = input.Int64();
        return index <= int.MaxValue ? (int)index : throw input.Malformed($"chunk {index}");
    }
}
