using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Values;

/// <summary>Writes and reads a tuple that is a class. Body: its items in order; then its constructor runs on the
/// shell.</summary>
internal sealed class TupleSerializer : TypeSerializer
{
    private readonly PropertyInfo[] _items;
    private readonly FieldSerializer[] _serializers;
    private readonly ShellConstructor _constructor;

    public TupleSerializer(Type type, SerializerSource source)
        : base(type)
    {
        var arguments = type.GetGenericArguments();
        _items = [.. arguments.Select((_, i) => type.GetProperty(i == 7 ? "Rest" : $"Item{i + 1}")!)];
        _serializers = [.. arguments.Select(source.FieldSerializerOf)];
        _constructor = ShellConstructor.Find(type, arguments)!;
    }

    public override void Describe(LayoutBuilder layout)
    {
        foreach (var item in _items)
            layout.Body.Place(item.PropertyType);
    }

    public override object Create(SlimReader reader)
    {
        reader.Charge(16 + (16L * _serializers.Length));
        return ShellConstructor.NewShell(Type);
    }

    public override void WriteBody(SlimWriter writer, object value)
    {
        for (var i = 0; i < _serializers.Length; i++)
        {
            writer.Trace?.Push(_items[i].Name);
            _serializers[i].WriteBoxed(writer, _items[i].GetValue(value));
            writer.Trace?.Pop();
        }
    }

    public override void ReadBody(SlimReader reader, object instance)
    {
        var items = new object?[_serializers.Length];
        for (var i = 0; i < items.Length; i++)
        {
            reader.Trace?.Push(_items[i].Name);
            items[i] = _serializers[i].ReadBoxed(reader);
            reader.Trace?.Pop();
        }

        _constructor.Run(instance, items);
    }
}
