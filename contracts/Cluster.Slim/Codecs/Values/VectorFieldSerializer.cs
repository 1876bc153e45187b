using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Values;

/// <summary>Writes and reads a vector whose width depends on the machine: count and elements. A reader with another
/// width refuses it.</summary>
/// <typeparam name="T">The element type.</typeparam>
internal sealed class VectorFieldSerializer<T>(SerializerSource source) : FieldSerializer<Vector<T>>
{
    private readonly FieldSerializer<T> _element = source.FieldSerializerOf<T>();

    public override int BytesMin => 1;

    public override void Describe(LayoutBuilder layout) => layout.Body.Items(typeof(T));

    public override void Write(SlimWriter writer, Vector<T> value)
    {
        writer.WriteVar((uint)Vector<T>.Count);
        for (var i = 0; i < Vector<T>.Count; i++)
            _element.Write(writer, value[i]);
    }

    public override Vector<T> Read(SlimReader reader)
    {
        var count = reader.ReadCount(_element.BytesMin);
        if (count != Vector<T>.Count)
        {
            throw Throw.Layout(
                typeof(Vector<T>).FullName!,
                $"A Vector<{typeof(T).Name}> of {count} elements came, and has {Vector<T>.Count} on this machine. "
                + "Between unlike machines send an array or one of Vector128 and its siblings.");
        }

        Vector<T> value = default;
        for (var i = 0; i < count; i++)
            value = value.WithElement(i, _element.Read(reader));
        return value;
    }
}
