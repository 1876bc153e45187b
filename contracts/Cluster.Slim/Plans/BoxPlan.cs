using System.Runtime.CompilerServices;
using Cluster.Slim.Layouts;
using Cluster.Slim.Types;

namespace Cluster.Slim.Plans;

/// <summary>A boxed value. The box exists before its value is read, because the value may refer to its own
/// box.</summary>
/// <typeparam name="T">The value type.</typeparam>
internal sealed class BoxPlan<T>(Slot<T> slot) : ObjectPlan(typeof(T))
    where T : struct
{
    internal Slot<T> Slot => slot;

    internal override void Describe(LayoutBuilder layout) => layout.Body.Place(typeof(T));

    internal override object Create(SlimReader reader)
    {
        reader.Charge(16 + TypeShape.Aligned(Unsafe.SizeOf<T>()));
        return default(T);
    }

    // A value without references cannot refer to its box, which then need not exist before it.
    internal override object ReadWhole(SlimReader reader)
    {
        if (RuntimeHelpers.IsReferenceOrContainsReferences<T>())
            return base.ReadWhole(reader);
        reader.Charge(16 + TypeShape.Aligned(Unsafe.SizeOf<T>()));
        object box = slot.Read(reader);
        reader.AddHandle(box);
        return box;
    }

    internal override void WriteWhole(SlimWriter writer, object value) => slot.Write(writer, (T)value);

    internal override void WriteBody(SlimWriter writer, object value) => slot.Write(writer, (T)value);

    internal override void ReadBody(SlimReader reader, object instance) =>
        Unsafe.Unbox<T>(instance) = slot.Read(reader);
}
