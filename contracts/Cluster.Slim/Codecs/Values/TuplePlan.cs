using System.Reflection;
using Cluster.Slim.Layouts;
using Cluster.Slim.Plans;

namespace Cluster.Slim.Codecs;

/// <summary>A tuple of the class kind. Body: its items in order; then its constructor runs on the shell.</summary>
internal sealed class TuplePlan : ObjectPlan
{
    private readonly PropertyInfo[] _items;
    private readonly Slot[] _slots;
    private readonly ShellConstructor _constructor;

    internal TuplePlan(Type type, SlotSource slots)
        : base(type)
    {
        Type[] arguments = type.GetGenericArguments();
        _items = [.. arguments.Select((_, i) => type.GetProperty(i == 7 ? "Rest" : $"Item{i + 1}")!)];
        _slots = [.. arguments.Select(slots.SlotOf)];
        _constructor = ShellConstructor.Find(type, arguments)!;
    }

    internal override void Describe(LayoutBuilder layout)
    {
        foreach (PropertyInfo item in _items)
            layout.Body.Place(item.PropertyType);
    }

    internal override object Create(SlimReader reader)
    {
        reader.Charge(16 + (16L * _slots.Length));
        return ShellConstructor.NewShell(Type);
    }

    internal override void WriteBody(SlimWriter writer, object value)
    {
        for (int i = 0; i < _slots.Length; i++)
        {
            writer.Trace?.Push(_items[i].Name);
            _slots[i].WriteBoxed(writer, _items[i].GetValue(value));
            writer.Trace?.Pop();
        }
    }

    internal override void ReadBody(SlimReader reader, object instance)
    {
        object?[] items = new object?[_slots.Length];
        for (int i = 0; i < items.Length; i++)
        {
            reader.Trace?.Push(_items[i].Name);
            items[i] = _slots[i].ReadBoxed(reader);
            reader.Trace?.Pop();
        }

        _constructor.Run(instance, items);
    }
}
