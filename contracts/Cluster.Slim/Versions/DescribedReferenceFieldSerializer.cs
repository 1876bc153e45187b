using Cluster.Slim.Errors;
using Cluster.Slim.Graph;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Versions;

/// <summary>A place of a class, array or interface in which objects of another declared type, or of the same type with
/// another layout, were written. Each object is checked on its own.</summary>
/// <typeparam name="T">The declared type of the place in this process.</typeparam>
internal sealed class DescribedReferenceFieldSerializer<T>(TypeLayout declared, DescribedTypes types, string? member)
    : FieldSerializer<T?>
    where T : class
{
    private readonly bool _isExternal = types.IsExternal(typeof(T));
    private TypeSerializer? _exact;

    public override int BytesMin => 1;

    public override void Describe(LayoutBuilder layout) => throw DescribedSerializers.NeverWritten();

    public override void Write(SlimWriter writer, T? value) => throw DescribedSerializers.NeverWritten();

    public override T? Read(SlimReader reader)
    {
        var head = reader.ReadVar();
        switch (head)
        {
            case ObjectTags.Null:
                return null;
            case ObjectTags.NewExact:
                if (declared.IsOpen)
                    Throw.Malformed($"An object without its type stands in a place of {declared.Name}.");
                return ReadNew(reader, _exact ??= types.SerializerOf(declared));
            case ObjectTags.NewTyped:
                return ReadNew(reader, reader.ReadType());
            default:
                var known = reader.ReadReference(head);
                return known as T ?? throw DoesNotFit(known.GetType());
        }
    }

    private T ReadNew(SlimReader reader, TypeSerializer serializer)
    {
        // Only the result must fit; the created object may be a substitute for it.
        if (serializer.IsReplaceable)
        {
            var value = HostImports.Read(reader, serializer, _isExternal ? typeof(T) : null);
            return value as T ?? throw DoesNotFit(value.GetType());
        }

        return typeof(T).IsAssignableFrom(serializer.Type)
            ? (T)reader.ReadNew(serializer)
            : throw DoesNotFit(serializer.Type);
    }

    private SlimLayoutException DoesNotFit(Type type) => Throw.Layout(
        declared.Name, $"{member ?? declared.Name}: an object of {type} was written, which is not a {typeof(T)}.");
}
