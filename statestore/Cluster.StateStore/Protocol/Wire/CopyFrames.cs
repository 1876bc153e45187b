using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Protocol.Wire;

/// <summary>The bytes of copies of partitions. Stateless.</summary>
internal static class CopyFrames
{
    private const byte IsLastFlag = 1;
    private const int RecordBytesMin = 15;
    private const int ClientBytesMin = 19;
    private const int AnswerBytesMin = 2;

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
        to.Varint((uint)chunk.Records.Length);
        foreach (var record in chunk.Records)
        {
            to.UInt32(record.Key.State);
            to.UInt64(record.Version.Value);
            to.Varint((ulong)record.Expiry);
            to.Block(record.Key.Bytes.Span);
            to.Block(record.Value.Span);
        }

        to.Varint((uint)chunk.Requests.Length);
        foreach (var client in chunk.Requests)
            Write(client, to);
    }

    public static CopyAsk ReadAsk(ref FrameReader input) => new(input.Partition(), input.Epoch(), input.Int64());

    public static CopyAck ReadAck(ref FrameReader input) =>
        new(ReadAsk(ref input), input.Int64(), ReadIndex(ref input));

    public static CopyChunk ReadChunk(ref FrameReader input)
    {
        var (ask, scan, index, start) = (ReadAsk(ref input), input.Int64(), ReadIndex(ref input), input.Entry());
        var (isLast, time) = (input.Flags(IsLastFlag) != 0, input.Int64());
        var count = input.Count(RecordBytesMin);
        var records = ImmutableArray.CreateBuilder<RecordImage>(count);
        for (var at = 0; at < count; at++)
        {
            var (state, version, expiry) = (input.UInt32(), input.Entry(), input.Int64());
            records.Add(new RecordImage(new StateKey(state, input.Block()), version, expiry, input.Block()));
        }

        var clients = input.Count(ClientBytesMin);
        var requests = ImmutableArray.CreateBuilder<RequestImage>(clients);
        for (var at = 0; at < clients; at++)
            requests.Add(ReadClient(ref input));
        return new CopyChunk(ask, scan, index, start, records.MoveToImmutable())
        {
            Requests = requests.MoveToImmutable(),
            IsLast = isLast,
            Time = time,
        };
    }

    private static void Write(RequestImage client, FormatWriter to)
    {
        to.Guid(client.Client);
        to.Varint((ulong)client.LowWater);
        to.Varint((ulong)client.Time);
        to.Varint((uint)client.Answers.Length);
        foreach (var (sequence, answer) in client.Answers)
        {
            to.Varint((ulong)sequence);
            to.Block(answer.Span);
        }
    }

    private static RequestImage ReadClient(ref FrameReader input)
    {
        var (client, lowWater, time) = (input.Guid(), input.Int64(), input.Int64());
        var count = input.Count(AnswerBytesMin);
        var answers = ImmutableArray.CreateBuilder<(long, ReadOnlyMemory<byte>)>(count);
        for (var at = 0; at < count; at++)
            answers.Add((input.Int64(), input.Block()));
        return new RequestImage(client, lowWater, time, answers.MoveToImmutable());
    }

    private static int ReadIndex(ref FrameReader input)
    {
        var index = input.Int64();
        return index <= int.MaxValue ? (int)index : throw input.Malformed($"chunk {index}");
    }
}
