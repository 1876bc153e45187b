using System.IO.Pipelines;
using Cluster.Slim.Hosting;

namespace Cluster.Slim.Tests.Matrix;

/// <summary>Every way to write a message of its own and every way to read one, by name. Stateless.</summary>
internal static class Transports
{
    private const int SegmentationCount = 3;

    public static IEnumerable<(string Name, Func<byte[]> Write)> Writers<T>(SlimSerializer slim, T value) =>
    [
        ("array", () => slim.Serialize(value)),
        ("IBufferWriter", () => Buffered(output => slim.Serialize(output, value))),
        ("stingy IBufferWriter", () =>
        {
            StingyBufferWriter output = new();
            slim.Serialize(output, value);
            return output.Written;
        }),
        ("Stream", () =>
        {
            using MemoryStream stream = new();
            slim.Serialize(stream, value);
            return stream.ToArray();
        }),
        ("PipeWriter", () =>
        {
            using MemoryStream stream = new();
            var pipe = PipeWriter.Create(stream, new StreamPipeWriterOptions(leaveOpen: true));
            slim.Serialize(pipe, value);
            pipe.Complete();
            return stream.ToArray();
        }),
        ("SerializeRoots", () => Buffered(output => slim.SerializeRoots(output, value))),
        ("SlimMessageWriter", () => Buffered(output =>
        {
            SlimMessageWriter writer = new(slim);
            writer.Begin(output);
            writer.Write(value);
            writer.Complete();
        })),
    ];

    public static IEnumerable<(string Name, Func<T> Read)> Readers<T>(SlimSerializer slim, byte[] message) =>
    [
        ("span", () => slim.Deserialize<T>(message.AsSpan())),
        ("memory", () => slim.Deserialize<T>(message.AsMemory())),
        ("Stream", () => slim.Deserialize<T>(new MemoryStream(message))),
        ("trickling Stream", () => slim.Deserialize<T>(new TrickleStream(message))),
        .. Segmentations(message).Select(s => ($"sequence of {s.Name}", (Func<T>)(() => slim.Deserialize<T>(s.Bytes)))),
        ("DeserializeRoots", () => (T)slim.DeserializeRoots(new(message), [typeof(T)])[0]!),
        ("SlimMessageReader", () =>
        {
            SlimMessageReader reader = new(slim);
            reader.Begin(SegmentedSequence.Random(message, SegmentationCount));
            var value = reader.Read<T>();
            reader.Complete();
            return value;
        }),
    ];

    /// <summary>The bytes whole, in segments of one byte, and in random ones.</summary>
    public static IEnumerable<(string Name, ReadOnlySequence<byte> Bytes)> Segmentations(byte[] message) =>
    [
        ("one segment", new(message)),
        ("1-byte segments", SegmentedSequence.Of(message, 1)),
        .. Enumerable.Range(1, SegmentationCount)
            .Select(seed => ($"random segments, seed {seed}", SegmentedSequence.Random(message, seed))),
    ];

    public static byte[] Buffered(Action<IBufferWriter<byte>> write)
    {
        ArrayBufferWriter<byte> output = new();
        write(output);
        return output.WrittenSpan.ToArray();
    }
}
