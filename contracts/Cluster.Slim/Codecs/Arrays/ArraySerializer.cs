using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Arrays;

/// <summary>A one-dimensional array with lower bound zero. Head: length. Body: elements.</summary>
/// <typeparam name="T">The element type.</typeparam>
internal sealed class ArraySerializer<T>(SerializerSource source) : TypeSerializer(typeof(T[]))
{
    private readonly FieldSerializer<T> _serializer = source.FieldSerializerOf<T>();

    public override void Describe(LayoutBuilder layout)
    {
        layout.Creation.Length();
        layout.Body.Elements(typeof(T));
    }

    public override void WriteHead(SlimWriter writer, object value)
    {
        var length = (uint)Unsafe.As<T[]>(value).Length;
        writer.WriteVar(length);
        writer.Doubts.Charge(length * (long)FieldSerializer<T>.MemoryBytes);
    }

    public override object Create(SlimReader reader)
    {
        var count = reader.ReadCount(_serializer.BytesMin);
        reader.Charge(24 + ((long)count * FieldSerializer<T>.MemoryBytes));

        // Only references need zeroed memory: if the body ends early, nobody ever sees the array.
        return RuntimeHelpers.IsReferenceOrContainsReferences<T>()
            ? new T[count]
            : GC.AllocateUninitializedArray<T>(count);
    }

    public override void WriteWhole(SlimWriter writer, object value)
    {
        var array = Unsafe.As<T[]>(value);
        writer.WriteVar((uint)array.Length);
        writer.Doubts.Charge((long)array.Length * FieldSerializer<T>.MemoryBytes);
        WriteElements(writer, array);
    }

    public override object ReadWhole(SlimReader reader)
    {
        var array = Create(reader);
        reader.AddHandle(array);
        _serializer.ReadSpan(reader, Unsafe.As<T[]>(array));
        return array;
    }

    public override void WriteBody(SlimWriter writer, object value) => WriteElements(writer, Unsafe.As<T[]>(value));

    public override void ReadBody(SlimReader reader, object instance) =>
        _serializer.ReadSpan(reader, Unsafe.As<T[]>(instance));

    private void WriteElements(SlimWriter writer, ReadOnlySpan<T> elements)
    {
        if (!_serializer.TryWriteLone(writer, elements))
            _serializer.WriteSpan(writer, elements);
    }
}
