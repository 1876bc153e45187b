using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Hosting.Formats;

/// <summary>The payload of a reply to a scan. Normative in <c>docs/formats/state-messages.md</c>. Stateless.</summary>
internal static class ScanFormat
{
    private const string What = "Reply to a scan";
    private const int RecordBytesMin = 10;

    public static byte[] Write(IReadOnlyCollection<RecordImage> records)
    {
        var output = new FormatWriter(16 + records.Sum(record => record.Key.Bytes.Length + record.Value.Length + 20));
        output.Varint((uint)records.Count);
        foreach (var record in records)
        {
            output.Block(record.Key.Bytes.Span);
            output.UInt64(record.Version.Value);
            output.Block(record.Value.Span);
        }

        return output.Written.ToArray();
    }

    /// <summary>Reads a payload into a list.</summary>
    /// <param name="payload">The payload; the records refer to it.</param>
    /// <param name="read">Makes an item of key, version and value.</param>
    /// <exception cref="StateFormatException">The payload has another form.</exception>
    public static List<T> Read<T>(byte[] payload, Func<ReadOnlyMemory<byte>, long, ReadOnlyMemory<byte>, T> read)
    {
        var input = new FormatReader(payload, What);
        var count = input.Count(payload.Length / RecordBytesMin, "records");
        var records = new List<T>(count);
        for (var index = 0; index < count; index++)
        {
            var key = payload.AsMemory(input.Block());
            var version = (long)input.UInt64();
            records.Add(read(key, version, payload.AsMemory(input.Block())));
        }

        input.End();
        return records;
    }
}
