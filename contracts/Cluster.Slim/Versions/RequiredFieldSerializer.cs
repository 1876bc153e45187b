using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Versions;

/// <summary>A place of a value in which nullable values were written. Null is refused.</summary>
/// <typeparam name="T">The type of the place.</typeparam>
internal sealed class RequiredFieldSerializer<T>(FieldSerializer<T> serializer, string member) : FieldSerializer<T>
    where T : struct
{
    public override int BytesMin => 1;

    public override void Describe(LayoutBuilder layout) => throw DescribedSerializers.NeverWritten();

    public override void Write(SlimWriter writer, T value) => throw DescribedSerializers.NeverWritten();

    public override T Read(SlimReader reader)
    {
        var flag = reader.ReadByte();
        if (flag > 1)
            Throw.Malformed("The flag of a nullable value is neither 0 nor 1.");
        if (flag == 0)
            throw Throw.Layout(typeof(T).Name, $"{member}: null does not fit into {typeof(T).Name}.");
        reader.Depth++;
        var value = serializer.Read(reader);
        reader.Depth--;
        return value;
    }
}
