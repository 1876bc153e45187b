using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Fields;

/// <summary>A place of a value type that cannot be carried. The default value passes: refusal is by value.</summary>
/// <typeparam name="T">The value type.</typeparam>
internal sealed class RefusedFieldSerializer<T>(string reason) : FieldSerializer<T>
    where T : struct
{
    public override int BytesMin => 1;

    public override void Describe(LayoutBuilder layout) => layout.Body.Bytes(1);

    public override void Write(SlimWriter writer, T value)
    {
        if (!EqualityComparer<T>.Default.Equals(value, default))
            throw Throw.NotSupported(typeof(T), reason);
        writer.WriteByte(0);
    }

    public override T Read(SlimReader reader)
    {
        if (reader.ReadByte() != 0)
            throw Throw.NotSupported(typeof(T), reason);
        return default;
    }
}
