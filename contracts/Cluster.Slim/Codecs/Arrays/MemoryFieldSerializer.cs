using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Arrays;

/// <summary>Writes memory over an array as a segment of that array, and copies other memory into an array.</summary>
/// <typeparam name="T">The element type.</typeparam>
internal sealed class MemoryFieldSerializer<T>(SerializerSource source) : FieldSerializer<Memory<T>>
{
    private readonly FieldSerializer<ArraySegment<T>> _segment = source.FieldSerializerOf<ArraySegment<T>>();

    public override int BytesMin => 1;

    public override void Describe(LayoutBuilder layout) => layout.Body.Place(typeof(ArraySegment<T>));

    public override void Write(SlimWriter writer, Memory<T> value)
    {
        writer.Depth++;
        _segment.Write(writer, ReadOnlyMemoryFieldSerializer<T>.SegmentOf(value));
        writer.Depth--;
    }

    public override Memory<T> Read(SlimReader reader)
    {
        reader.Depth++;
        var segment = _segment.Read(reader);
        reader.Depth--;
        return segment;
    }
}
