using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Fields;

/// <summary>A place of a nullable value type: one byte, then the value if there is one.</summary>
/// <typeparam name="T">The underlying type.</typeparam>
internal sealed class NullableFieldSerializer<T>(FieldSerializer<T> serializer) : FieldSerializer<T?>
    where T : struct
{
    public override int BytesMin => 1;

    public override void Describe(LayoutBuilder layout) => layout.Body.Optional(typeof(T));

    public override void Write(SlimWriter writer, T? value)
    {
        writer.WriteByte(value.HasValue ? (byte)1 : (byte)0);
        if (!value.HasValue)
            return;
        writer.Depth++;
        serializer.Write(writer, value.GetValueOrDefault());
        writer.Depth--;
    }

    public override T? Read(SlimReader reader)
    {
        var flag = reader.ReadByte();
        if (flag > 1)
            Throw.Malformed("The flag of a nullable value is neither 0 nor 1.");
        if (flag == 0)
            return null;
        reader.Depth++;
        var value = serializer.Read(reader);
        reader.Depth--;
        return value;
    }
}
