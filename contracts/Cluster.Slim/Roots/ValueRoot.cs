using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Registry;

namespace Cluster.Slim.Roots;

/// <summary>Roots of a value type: not boxed, but with the handle that a box would have.</summary>
/// <typeparam name="T">The value type.</typeparam>
internal sealed class ValueRoot<T>(AllowSet allowed, SerializerRegistry serializers) : Root<T>(allowed)
    where T : struct
{
    private readonly BoxSerializer<T> _serializer = (BoxSerializer<T>)serializers.SerializerOf(typeof(T));

    public override void Write(SlimWriter writer, T value)
    {
        writer.WriteValueHead(_serializer);
        _serializer.Serializer.Write(writer, value);
        writer.Depth--;
    }

    public override T Read(SlimReader reader)
    {
        if (reader.ReadVar() != ObjectTags.NewTyped)
            Throw.Malformed($"The root is not a new {typeof(T)}.");
        var serializer = reader.ReadType();
        if (serializer is not BoxSerializer<T> box)
        {
            Throw.Malformed($"The root is a {serializer.Type}, not a {typeof(T)}.");
            return default;
        }

        reader.BeginValue();
        var value = box.Serializer.Read(reader);
        reader.Depth--;
        return value;
    }
}
