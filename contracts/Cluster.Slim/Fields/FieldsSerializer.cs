using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Fields;

/// <summary>An object of a user class: its fields, without running a constructor.</summary>
/// <typeparam name="T">The class.</typeparam>
internal sealed class FieldsSerializer<T> : TypeSerializer
    where T : class
{
    private readonly FieldSet<T> _fields;

    public FieldsSerializer(FieldSet<T> fields, int instanceBytes)
        : base(typeof(T))
    {
        _fields = fields;
        GraphBytes = instanceBytes;
    }

    public override void Describe(LayoutBuilder layout) => _fields.Describe(layout);

    public override object Create(SlimReader reader)
    {
        reader.Charge(GraphBytes);
        return RuntimeHelpers.GetUninitializedObject(Type);
    }

    public override void WriteWhole(SlimWriter writer, object value)
    {
        var instance = Unsafe.As<T>(value);
        _fields.Write(writer, ref instance);
    }

    public override object ReadWhole(SlimReader reader)
    {
        reader.Charge(GraphBytes);
        var instance = Unsafe.As<T>(RuntimeHelpers.GetUninitializedObject(Type));
        reader.AddHandle(instance);
        _fields.Read(reader, ref instance);
        return instance;
    }

    public override void WriteBody(SlimWriter writer, object value) => WriteWhole(writer, value);

    public override void ReadBody(SlimReader reader, object instance)
    {
        var target = Unsafe.As<T>(instance);
        _fields.Read(reader, ref target);
    }
}
