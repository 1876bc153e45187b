using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Values;

/// <summary>Writes and reads a lazy object whose value exists already. Body: the value. The factory never travels and
/// never runs.</summary>
/// <typeparam name="T">The value type.</typeparam>
internal sealed class LazySerializer<T>(SerializerSource source) : TypeSerializer(typeof(Lazy<T>))
{
    private readonly FieldSerializer<T> _serializer = source.FieldSerializerOf<T>();
    private readonly ShellConstructor _constructor = ShellConstructor.Find(typeof(Lazy<T>), typeof(T))!;

    public override void Describe(LayoutBuilder layout) => layout.Body.Place(typeof(T));

    public override object Create(SlimReader reader)
    {
        reader.Charge(64);
        return ShellConstructor.NewShell(typeof(Lazy<T>));
    }

    public override void WriteBody(SlimWriter writer, object value)
    {
        var lazy = (Lazy<T>)value;
        if (!lazy.IsValueCreated)
            throw Throw.NotSupported(Type, "it has no value yet, and its factory is code; read its Value first.");
        _serializer.Write(writer, lazy.Value);
    }

    public override void ReadBody(SlimReader reader, object instance) =>
        _constructor.Run(instance, _serializer.Read(reader));
}
