using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Fields;

/// <summary>A struct that is a fixed number of elements: the elements, without their count.</summary>
/// <typeparam name="T">The struct.</typeparam>
/// <typeparam name="TElement">The element type.</typeparam>
internal sealed class InlineFieldSerializer<T, TElement>(SerializerSource source, int length) : FieldSerializer<T>
    where T : struct
{
    private readonly FieldSerializer<TElement> _serializer = source.FieldSerializerOf<TElement>();

    public override int BytesMin => checked(length * _serializer.BytesMin);

    public override void Describe(LayoutBuilder layout) => layout.Body.Repeat(length, typeof(TElement));

    public override void Write(SlimWriter writer, T value)
    {
        writer.Depth++;
        _serializer.WriteSpan(writer, MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<T, TElement>(ref value), length));
        writer.Depth--;
    }

    public override T Read(SlimReader reader)
    {
        T value = default;
        reader.Depth++;
        _serializer.ReadSpan(reader, MemoryMarshal.CreateSpan(ref Unsafe.As<T, TElement>(ref value), length));
        reader.Depth--;
        return value;
    }
}
