using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Sequences;

/// <summary>A list. Body: count and elements.</summary>
/// <typeparam name="T">The element type.</typeparam>
internal sealed class ListPlan<T>(SlotSource slots) : ObjectPlan(typeof(List<T>)), ICollectionPlan
{
    private readonly Slot<T> _slot = slots.SlotOf<T>();
    private readonly OwnComparer _comparer = new(typeof(List<T>), slots);

    public void Adopt(object shell, object created) =>
        _comparer.Construct(shell, null);

    public override void Describe(LayoutBuilder layout) => layout.Body.Items(typeof(T));

    public override object Create(SlimReader reader)
    {
        reader.Charge(32);
        return new List<T>();
    }

    public override void WriteWhole(SlimWriter writer, object value) => WriteBody(writer, value);

    // The count comes before anything that could refer to the list, so that the list can be made for it.
    public override object ReadWhole(SlimReader reader)
    {
        reader.Charge(32);
        if (reader.SkipZero())
        {
            List<T> empty = [];
            reader.AddHandle(empty);
            return empty;
        }

        var count = reader.ReadCount(_slot.BytesMin);
        reader.Charge(24 + ((long)count * Slot<T>.MemoryBytes));
        List<T> list = new(count);
        reader.AddHandle(list);
        CollectionsMarshal.SetCount(list, count);
        _slot.ReadSpan(reader, CollectionsMarshal.AsSpan(list));
        return list;
    }

    public override void WriteBody(SlimWriter writer, object value)
    {
        var items = CollectionsMarshal.AsSpan(Unsafe.As<List<T>>(value));
        writer.WriteVar((uint)items.Length);
        writer.Doubts.Charge((long)items.Length * Slot<T>.MemoryBytes);
        if (!_slot.TryWriteLone(writer, items))
            _slot.WriteSpan(writer, items);
    }

    public override void ReadBody(SlimReader reader, object instance)
    {
        var count = reader.ReadCount(_slot.BytesMin);
        reader.Charge(24 + ((long)count * Slot<T>.MemoryBytes));
        var list = Unsafe.As<List<T>>(instance);
        CollectionsMarshal.SetCount(list, count);
        _slot.ReadSpan(reader, CollectionsMarshal.AsSpan(list));
    }
}
