using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Values;

/// <summary>A tuple of the class kind. Body: its items in order; then its constructor runs on the shell.</summary>
internal sealed class TuplePlan : ObjectPlan
{
    private readonly PropertyInfo[] _items;
    private readonly Slot[] _slots;
    private readonly ShellConstructor _constructor;

    public TuplePlan(Type type, SlotSource slots)
        : base(type)
    {
        var arguments = type.GetGenericArguments();
        _items = [.. arguments.Select((_, i) => type.GetProperty(i == 7 ? "Rest" : $"Item{i + 1}")!)];
        _slots = [.. arguments.Select(slots.SlotOf)];
        _constructor = ShellConstructor.Find(type, arguments)!;
    }

    public override void Describe(LayoutBuilder layout)
    {
        foreach (var item in _items)
            layout.Body.Place(item.PropertyType);
    }

    public override object Create(SlimReader reader)
    {
        reader.Charge(16 + (16L * _slots.Length));
        return ShellConstructor.NewShell(Type);
    }

    public override void WriteBody(SlimWriter writer, object value)
    {
        for (var i = 0; i < _slots.Length; i++)
        {
            writer.Trace?.Push(_items[i].Name);
            _slots[i].WriteBoxed(writer, _items[i].GetValue(value));
            writer.Trace?.Pop();
        }
    }

    public override void ReadBody(SlimReader reader, object instance)
    {
        var items = new object?[_slots.Length];
        for (var i = 0; i < items.Length; i++)
        {
            reader.Trace?.Push(_items[i].Name);
            items[i] = _slots[i].ReadBoxed(reader);
            reader.Trace?.Pop();
        }

        _constructor.Run(instance, items);
    }
}
