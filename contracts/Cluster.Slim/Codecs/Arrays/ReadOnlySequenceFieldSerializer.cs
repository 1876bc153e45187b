using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Arrays;

/// <summary>Writes a sequence of one segment as a segment of its array, and copies a sequence of several segments into
/// one array.</summary>
/// <typeparam name="T">The element type.</typeparam>
internal sealed class ReadOnlySequenceFieldSerializer<T>(SerializerSource source) : FieldSerializer<ReadOnlySequence<T>>
{
    private readonly FieldSerializer<ReadOnlyMemory<T>> _memory = source.FieldSerializerOf<ReadOnlyMemory<T>>();

    public override int BytesMin => 1;

    public override void Describe(LayoutBuilder layout) => layout.Body.Place(typeof(ReadOnlyMemory<T>));

    public override void Write(SlimWriter writer, ReadOnlySequence<T> value)
    {
        writer.Depth++;
        _memory.Write(writer, value.IsSingleSegment ? value.First : value.ToArray());
        writer.Depth--;
    }

    public override ReadOnlySequence<T> Read(SlimReader reader)
    {
        reader.Depth++;
        var memory = _memory.Read(reader);
        reader.Depth--;
        return new ReadOnlySequence<T>(memory);
    }
}
