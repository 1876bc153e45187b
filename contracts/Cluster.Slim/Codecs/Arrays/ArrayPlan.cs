using System.Runtime.CompilerServices;
using Cluster.Slim.Layouts;
using Cluster.Slim.Plans;

namespace Cluster.Slim.Codecs;

/// <summary>A one-dimensional array with lower bound zero. Head: length. Body: elements.</summary>
/// <typeparam name="T">The element type.</typeparam>
internal sealed class ArrayPlan<T>(SlotSource slots) : ObjectPlan(typeof(T[]))
{
    private readonly Slot<T> _slot = slots.SlotOf<T>();

    internal override void Describe(LayoutBuilder layout)
    {
        layout.Creation.Length();
        layout.Body.Elements(typeof(T));
    }

    internal override void WriteHead(SlimWriter writer, object value)
    {
        uint length = (uint)Unsafe.As<T[]>(value).Length;
        writer.WriteVar(length);
        writer.Doubts.Charge(length * (long)Slot<T>.MemoryBytes);
    }

    internal override object Create(SlimReader reader)
    {
        int count = reader.ReadCount(_slot.BytesMin);
        reader.Charge(24 + ((long)count * Slot<T>.MemoryBytes));

        // Zeroing pays only for references: a body that ends early never shows the array to anybody.
        return RuntimeHelpers.IsReferenceOrContainsReferences<T>()
            ? new T[count]
            : GC.AllocateUninitializedArray<T>(count);
    }

    internal override void WriteWhole(SlimWriter writer, object value)
    {
        T[] array = Unsafe.As<T[]>(value);
        writer.WriteVar((uint)array.Length);
        writer.Doubts.Charge((long)array.Length * Slot<T>.MemoryBytes);
        WriteElements(writer, array);
    }

    internal override object ReadWhole(SlimReader reader)
    {
        object array = Create(reader);
        reader.AddHandle(array);
        _slot.ReadSpan(reader, Unsafe.As<T[]>(array));
        return array;
    }

    internal override void WriteBody(SlimWriter writer, object value) => WriteElements(writer, Unsafe.As<T[]>(value));

    internal override void ReadBody(SlimReader reader, object instance) =>
        _slot.ReadSpan(reader, Unsafe.As<T[]>(instance));

    private void WriteElements(SlimWriter writer, ReadOnlySpan<T> elements)
    {
        if (!_slot.TryWriteLone(writer, elements))
            _slot.WriteSpan(writer, elements);
    }
}
