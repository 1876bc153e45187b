using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Arrays;

/// <summary>Writes and reads a part of an array: the array, which other places may share, the offset and the
/// count.</summary>
/// <typeparam name="T">The element type.</typeparam>
internal sealed class ArraySegmentFieldSerializer<T>(SerializerSource source) : FieldSerializer<ArraySegment<T>>
{
    private readonly FieldSerializer<T[]?> _array = source.FieldSerializerOf<T[]?>();

    public override int BytesMin => 1;

    public override void Describe(LayoutBuilder layout) => layout.Body.Segment(typeof(T[]));

    public override void Write(SlimWriter writer, ArraySegment<T> value)
    {
        writer.Depth++;
        _array.Write(writer, value.Array);
        writer.Depth--;
        if (value.Array is null)
            return;
        writer.WriteVar((uint)value.Offset);
        writer.WriteVar((uint)value.Count);
    }

    public override ArraySegment<T> Read(SlimReader reader)
    {
        reader.Depth++;
        var array = _array.Read(reader);
        reader.Depth--;
        if (array is null)
            return default;
        var offset = reader.ReadVar();
        var count = reader.ReadVar();
        if ((ulong)offset + count > (ulong)array.Length)
            Throw.Malformed("A segment reaches beyond its array.");
        return new ArraySegment<T>(array, (int)offset, (int)count);
    }
}
