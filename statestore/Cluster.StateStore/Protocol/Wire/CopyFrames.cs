using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Protocol.Wire;

/// <summary>The bytes of copies of partitions. Stateless.</summary>
internal static class CopyFrames
{
    private const byte IsLastFlag = 1;
    private const byte IsDifferenceFlag = 2;
    private const byte IsBaseRefusedFlag = 4;

    /// <summary>Writes a question, with its base if it has one.</summary>
    public static void Write(CopyAsk ask, FormatWriter to)
    {
        WritePlain(ask, to);
        if (ask.Base is not { } known)
            return;
        to.UInt64(known.Entry.Value);
        to.Varint((uint)known.LossCount);
    }

    public static void Write(CopyAck ack, FormatWriter to)
    {
        WritePlain(ack.Ask, to);
        to.Varint((ulong)ack.Scan);
        to.Varint((uint)ack.Next);
    }

    public static void Write(CopyChunk chunk, FormatWriter to)
    {
        WritePlain(chunk.Ask, to);
        to.Varint((ulong)chunk.Scan);
        to.Varint((uint)chunk.Index);
        to.UInt64(chunk.Start.Value);
        to.Byte(FlagsOf(chunk));
        to.Varint((ulong)chunk.Time);
        RecordFormat.Write(chunk.Records, to);
        RecordFormat.Write(chunk.Requests, to);
    }

    public static CopyAsk ReadAsk(ref FrameReader input) => new(input.Partition(), input.Epoch(), input.Int64());

    public static CopyAsk ReadAskWithBase(ref FrameReader input) =>
        ReadAsk(ref input) with { Base = new BaseMark(input.Entry(), ReadInt32(ref input, "loss count")) };

    public static CopyAck ReadAck(ref FrameReader input) =>
        new(ReadAsk(ref input), input.Int64(), ReadInt32(ref input, "chunk"));

    public static CopyChunk ReadChunk(ref FrameReader input)
    {
        var (ask, scan) = (ReadAsk(ref input), input.Int64());
        var (index, start) = (ReadInt32(ref input, "chunk"), input.Entry());
        var (flags, time) = (input.Flags(IsLastFlag | IsDifferenceFlag | IsBaseRefusedFlag), input.Int64());
        return new CopyChunk(ask, scan, index, start, RecordFormat.ReadRecords(ref input))
        {
            Requests = RecordFormat.ReadRequests(ref input),
            IsLast = (flags & IsLastFlag) != 0,
            IsDifference = (flags & IsDifferenceFlag) != 0,
            IsBaseRefused = (flags & IsBaseRefusedFlag) != 0,
            Time = time,
        };
    }

    private static void WritePlain(CopyAsk ask, FormatWriter to)
    {
        to.Varint((uint)ask.Partition.Value);
        to.Varint((ulong)ask.Epoch);
        to.Varint((ulong)ask.Copy);
    }

    private static byte FlagsOf(CopyChunk chunk)
    {
        var flags = chunk.IsLast ? IsLastFlag : 0;
        flags |= chunk.IsDifference ? IsDifferenceFlag : 0;
        return (byte)(flags | (chunk.IsBaseRefused ? IsBaseRefusedFlag : 0));
    }

    private static int ReadInt32(ref FrameReader input, string name)
    {
        var number = input.Int64();
        return number <= int.MaxValue ? (int)number : throw input.Malformed($"{name} {number}");
    }
}
