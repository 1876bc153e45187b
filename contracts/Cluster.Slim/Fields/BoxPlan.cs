using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Types;

namespace Cluster.Slim.Fields;

/// <summary>A boxed value. The box exists before its value is read, because the value may refer to its own
/// box.</summary>
/// <typeparam name="T">The value type.</typeparam>
internal sealed class BoxPlan<T> : ObjectPlan
    where T : struct
{
    public BoxPlan(Slot<T> slot)
        : base(typeof(T))
    {
        Slot = slot;
        GraphBytes = 16 + TypeShape.Aligned(Unsafe.SizeOf<T>());
    }

    public Slot<T> Slot { get; }

    public override void Describe(LayoutBuilder layout) => layout.Body.Place(typeof(T));

    public override object Create(SlimReader reader)
    {
        reader.Charge(GraphBytes);
        return default(T);
    }

    // A value without references cannot refer to its box, which then need not exist before it.
    public override object ReadWhole(SlimReader reader)
    {
        if (RuntimeHelpers.IsReferenceOrContainsReferences<T>())
            return base.ReadWhole(reader);
        reader.Charge(GraphBytes);
        object box = Slot.Read(reader);
        reader.AddHandle(box);
        return box;
    }

    public override void WriteWhole(SlimWriter writer, object value) => Slot.Write(writer, (T)value);

    public override void WriteBody(SlimWriter writer, object value) => Slot.Write(writer, (T)value);

    public override void ReadBody(SlimReader reader, object instance) =>
        Unsafe.Unbox<T>(instance) = Slot.Read(reader);
}
