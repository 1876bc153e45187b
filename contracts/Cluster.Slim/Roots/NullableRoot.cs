using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Registry;

namespace Cluster.Slim.Roots;

/// <summary>Roots of a nullable value type: null, or a root of the underlying type.</summary>
/// <typeparam name="T">The underlying type.</typeparam>
internal sealed class NullableRoot<T>(AllowSet allowed, SerializerRegistry serializers) : Root<T?>(allowed)
    where T : struct
{
    private readonly ValueRoot<T> _root = new(allowed, serializers);

    public override void Write(SlimWriter writer, T? value)
    {
        if (value is null)
            writer.WriteByte(ObjectTags.Null);
        else
            _root.Write(writer, value.GetValueOrDefault());
    }

    public override T? Read(SlimReader reader)
    {
        if (!reader.SkipZero())
            return _root.Read(reader);
        return null;
    }
}
