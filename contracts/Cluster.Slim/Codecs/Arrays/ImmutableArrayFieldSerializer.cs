using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Arrays;

/// <summary>Writes and reads an immutable array as the array that it wraps; that array may be null, and other places
/// may share it.</summary>
/// <typeparam name="T">The element type.</typeparam>
internal sealed class ImmutableArrayFieldSerializer<T>(SerializerSource source) : FieldSerializer<ImmutableArray<T>>
{
    private readonly FieldSerializer<T[]?> _array = source.FieldSerializerOf<T[]?>();

    public override int BytesMin => 1;

    public override void Describe(LayoutBuilder layout) => layout.Body.Place(typeof(T[]));

    public override void Write(SlimWriter writer, ImmutableArray<T> value)
    {
        writer.Depth++;
        _array.Write(writer, ImmutableCollectionsMarshal.AsArray(value));
        writer.Depth--;
    }

    public override ImmutableArray<T> Read(SlimReader reader)
    {
        reader.Depth++;
        var array = _array.Read(reader);
        reader.Depth--;
        return ImmutableCollectionsMarshal.AsImmutableArray(array);
    }
}
