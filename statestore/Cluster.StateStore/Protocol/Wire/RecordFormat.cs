using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Protocol.Wire;

/// <summary>The bytes of records and of answered requests, in copies and in snapshots. Stateless.</summary>
internal static class RecordFormat
{
    private const int RecordBytesMin = 15;
    private const int ClientBytesMin = 19;
    private const int AnswerBytesMin = 2;

    public static void Write(IReadOnlyCollection<RecordImage> records, FormatWriter to)
    {
        to.Varint((uint)records.Count);
        foreach (var record in records)
        {
            to.UInt32(record.Key.State);
            to.UInt64(record.Version.Value);
            to.Varint((ulong)record.Expiry);
            to.Block(record.Key.Bytes.Span);
            to.Block(record.Value.Span);
        }
    }

    public static void Write(IReadOnlyCollection<RequestImage> requests, FormatWriter to)
    {
        to.Varint((uint)requests.Count);
        foreach (var client in requests)
            Write(client, to);
    }

    public static ImmutableArray<RecordImage> ReadRecords(ref FrameReader input)
    {
        var count = input.Count(RecordBytesMin);
        var records = ImmutableArray.CreateBuilder<RecordImage>(count);
        for (var at = 0; at < count; at++)
        {
            var (state, version, expiry) = (input.UInt32(), input.Entry(), input.Int64());
            records.Add(new RecordImage(new StateKey(state, input.Block()), version, expiry, input.Block()));
        }

        return records.MoveToImmutable();
    }

    public static ImmutableArray<RequestImage> ReadRequests(ref FrameReader input)
    {
        var clients = input.Count(ClientBytesMin);
        var requests = ImmutableArray.CreateBuilder<RequestImage>(clients);
        for (var at = 0; at < clients; at++)
            requests.Add(ReadClient(ref input));
        return requests.MoveToImmutable();
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
}
