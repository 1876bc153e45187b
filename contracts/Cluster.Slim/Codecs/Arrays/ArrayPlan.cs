using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Arrays;

/// <summary>A one-dimensional array with lower bound zero. Head: length. Body: elements.</summary>
/// <typeparam name="T">The element type.</typeparam>
internal sealed class ArrayPlan<T>(SlotSource slots) : ObjectPlan(typeof(T[]))
{
    private readonly Slot<T> _slot = slots.SlotOf<T>();

    public override void Describe(LayoutBuilder layout)
    {
        layout.Creation.Length();
        layout.Body.Elements(typeof(T));
    }

    public override void WriteHead(SlimWriter writer, object value)
    {
        var length = (uint)Unsafe.As<T[]>(value).Length;
        writer.WriteVar(length);
        writer.Doubts.Charge(length * (long)Slot<T>.MemoryBytes);
    }

    public override object Create(SlimReader reader)
    {
        var count = reader.ReadCount(_slot.BytesMin);
        reader.Charge(24 + ((long)count * Slot<T>.MemoryBytes));

        // Zeroing pays only for references: a body that ends early never shows the array to anybody.
        return RuntimeHelpers.IsReferenceOrContainsReferences<T>()
            ? new T[count]
            : GC.AllocateUninitializedArray<T>(count);
    }

    public override void WriteWhole(SlimWriter writer, object value)
    {
        var array = Unsafe.As<T[]>(value);
        writer.WriteVar((uint)array.Length);
        writer.Doubts.Charge((long)array.Length * Slot<T>.MemoryBytes);
        WriteElements(writer, array);
    }

    public override object ReadWhole(SlimReader reader)
    {
        var array = Create(reader);
        reader.AddHandle(array);
        _slot.ReadSpan(reader, Unsafe.As<T[]>(array));
        return array;
    }

    public override void WriteBody(SlimWriter writer, object value) => WriteElements(writer, Unsafe.As<T[]>(value));

    public override void ReadBody(SlimReader reader, object instance) =>
        _slot.ReadSpan(reader, Unsafe.As<T[]>(instance));

    private void WriteElements(SlimWriter writer, ReadOnlySpan<T> elements)
    {
        if (!_slot.TryWriteLone(writer, elements))
            _slot.WriteSpan(writer, elements);
    }
}
