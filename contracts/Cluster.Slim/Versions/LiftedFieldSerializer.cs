using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Versions;

/// <summary>A nullable place in which values that could not be null were written.</summary>
/// <typeparam name="T">The underlying type of the place.</typeparam>
internal sealed class LiftedFieldSerializer<T>(FieldSerializer<T> serializer) : FieldSerializer<T?>
    where T : struct
{
    public override int BytesMin => serializer.BytesMin;

    public override void Describe(LayoutBuilder layout) => throw DescribedSerializers.NeverWritten();

    public override void Write(SlimWriter writer, T? value) => throw DescribedSerializers.NeverWritten();

    public override T? Read(SlimReader reader) => serializer.Read(reader);
}
