using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Cluster.Slim.Layouts;
using Cluster.Slim.Plans;

namespace Cluster.Slim.Codecs;

/// <summary>A list. Body: count and elements.</summary>
/// <typeparam name="T">The element type.</typeparam>
internal sealed class ListPlan<T>(SlotSource slots) : ObjectPlan(typeof(List<T>)), ICollectionPlan
{
    private readonly Slot<T> _slot = slots.SlotOf<T>();
    private readonly OwnComparer _comparer = new(typeof(List<T>), slots);

    public void Adopt(object shell, object created) =>
        _comparer.Construct(shell, null);

    internal override void Describe(LayoutBuilder layout) => layout.Body.Items(typeof(T));

    internal override object Create(SlimReader reader)
    {
        reader.Charge(32);
        return new List<T>();
    }

    internal override void WriteWhole(SlimWriter writer, object value) => WriteBody(writer, value);

    // The count comes before anything that could refer to the list, so that the list can be made for it.
    internal override object ReadWhole(SlimReader reader)
    {
        reader.Charge(32);
        if (reader.SkipZero())
        {
            List<T> empty = [];
            reader.AddHandle(empty);
            return empty;
        }

        int count = reader.ReadCount(_slot.BytesMin);
        reader.Charge(24 + ((long)count * Slot<T>.MemoryBytes));
        List<T> list = new(count);
        reader.AddHandle(list);
        CollectionsMarshal.SetCount(list, count);
        _slot.ReadSpan(reader, CollectionsMarshal.AsSpan(list));
        return list;
    }

    internal override void WriteBody(SlimWriter writer, object value)
    {
        Span<T> items = CollectionsMarshal.AsSpan(Unsafe.As<List<T>>(value));
        writer.WriteVar((uint)items.Length);
        writer.Doubts.Charge((long)items.Length * Slot<T>.MemoryBytes);
        if (!_slot.TryWriteLone(writer, items))
            _slot.WriteSpan(writer, items);
    }

    internal override void ReadBody(SlimReader reader, object instance)
    {
        int count = reader.ReadCount(_slot.BytesMin);
        reader.Charge(24 + ((long)count * Slot<T>.MemoryBytes));
        List<T> list = Unsafe.As<List<T>>(instance);
        CollectionsMarshal.SetCount(list, count);
        _slot.ReadSpan(reader, CollectionsMarshal.AsSpan(list));
    }
}
