using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Arrays;

/// <summary>Writes read-only memory over an array as a segment of that array, and copies other memory into an
/// array.</summary>
/// <typeparam name="T">The element type.</typeparam>
internal sealed class ReadOnlyMemoryFieldSerializer<T>(SerializerSource source) : FieldSerializer<ReadOnlyMemory<T>>
{
    private readonly FieldSerializer<ArraySegment<T>> _segment = source.FieldSerializerOf<ArraySegment<T>>();

    public override int BytesMin => 1;

    public override void Describe(LayoutBuilder layout) => layout.Body.Place(typeof(ArraySegment<T>));

    public override void Write(SlimWriter writer, ReadOnlyMemory<T> value)
    {
        writer.Depth++;
        _segment.Write(writer, SegmentOf(value));
        writer.Depth--;
    }

    public override ReadOnlyMemory<T> Read(SlimReader reader)
    {
        reader.Depth++;
        var segment = _segment.Read(reader);
        reader.Depth--;
        return segment;
    }

    public static ArraySegment<T> SegmentOf(ReadOnlyMemory<T> value)
    {
        if (value.IsEmpty)
            return default;
        return MemoryMarshal.TryGetArray(value, out var segment) ? segment : value.ToArray();
    }
}
