using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Types;

namespace Cluster.Slim.Fields;

/// <summary>A boxed value. The box exists before its value is read, because the value may refer to its own
/// box.</summary>
/// <typeparam name="T">The value type.</typeparam>
internal sealed class BoxSerializer<T> : TypeSerializer
    where T : struct
{
    public BoxSerializer(FieldSerializer<T> serializer)
        : base(typeof(T))
    {
        Serializer = serializer;
        GraphBytes = 16 + TypeShape.Aligned(Unsafe.SizeOf<T>());
    }

    public FieldSerializer<T> Serializer { get; }

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
        object box = Serializer.Read(reader);
        reader.AddHandle(box);
        return box;
    }

    public override void WriteWhole(SlimWriter writer, object value) => Serializer.Write(writer, (T)value);

    public override void WriteBody(SlimWriter writer, object value) => Serializer.Write(writer, (T)value);

    public override void ReadBody(SlimReader reader, object instance) =>
        Unsafe.Unbox<T>(instance) = Serializer.Read(reader);
}
