using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Sequences;

/// <summary>A list. Body: count and elements.</summary>
/// <typeparam name="T">The element type.</typeparam>
internal sealed class ListSerializer<T>(SerializerSource source)
    : TypeSerializer(typeof(List<T>)), ICollectionSerializer
{
    private readonly FieldSerializer<T> _serializer = source.FieldSerializerOf<T>();
    private readonly OwnComparer _comparer = new(typeof(List<T>), source);

    public void Adopt(object shell, object created) =>
        _comparer.Construct(shell, null);

    public override void Describe(LayoutBuilder layout) => layout.Body.Items(typeof(T));

    public override object Create(SlimReader reader)
    {
        reader.Charge(32);
        return new List<T>();
    }

    public override void WriteWhole(SlimWriter writer, object value) => WriteBody(writer, value);

    // The count is read before the list gets its handle: nothing refers to the list yet, so it is created with its
    // final capacity.
    public override object ReadWhole(SlimReader reader)
    {
        reader.Charge(32);
        if (reader.SkipZero())
        {
            List<T> empty = [];
            reader.AddHandle(empty);
            return empty;
        }

        var count = reader.ReadCount(_serializer.BytesMin);
        reader.Charge(24 + ((long)count * FieldSerializer<T>.MemoryBytes));
        List<T> list = new(count);
        reader.AddHandle(list);
        CollectionsMarshal.SetCount(list, count);
        _serializer.ReadSpan(reader, CollectionsMarshal.AsSpan(list));
        return list;
    }

    public override void WriteBody(SlimWriter writer, object value)
    {
        var items = CollectionsMarshal.AsSpan(Unsafe.As<List<T>>(value));
        writer.WriteVar((uint)items.Length);
        writer.Doubts.Charge((long)items.Length * FieldSerializer<T>.MemoryBytes);
        if (!_serializer.TryWriteLone(writer, items))
            _serializer.WriteSpan(writer, items);
    }

    public override void ReadBody(SlimReader reader, object instance)
    {
        var count = reader.ReadCount(_serializer.BytesMin);
        reader.Charge(24 + ((long)count * FieldSerializer<T>.MemoryBytes));
        var list = Unsafe.As<List<T>>(instance);
        CollectionsMarshal.SetCount(list, count);
        _serializer.ReadSpan(reader, CollectionsMarshal.AsSpan(list));
    }
}
