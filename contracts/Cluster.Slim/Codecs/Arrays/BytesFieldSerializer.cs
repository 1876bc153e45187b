using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Arrays;

/// <summary>Writes and reads <see cref="SlimBytes"/> in the form of a place of a byte array. A message refers to such
/// bytes in one place only: they have a handle, but no object.</summary>
internal sealed class BytesFieldSerializer(SerializerSource source) : FieldSerializer<SlimBytes>
{
    private readonly FieldSerializer<byte[]?> _array = source.FieldSerializerOf<byte[]?>();
    private TypeSerializer? _serializer;

    public override int BytesMin => 1;

    public override void Describe(LayoutBuilder layout) => _array.Describe(layout);

    public override void Write(SlimWriter writer, SlimBytes value)
    {
        // What is deferred, or told in an error, needs an object.
        if (value.IsNull || writer.Depth >= ObjectTags.DepthMax)
        {
            _array.Write(writer, value.ToArray());
            return;
        }

        writer.WriteNewHandle();
        writer.Doubts.Charge((_serializer ??= source.SerializerOf(typeof(byte[]))).ForeseenBytes + value.Length);
        writer.WriteVar((uint)value.Length);
        writer.WriteLent(value.Memory);
    }

    public override SlimBytes Read(SlimReader reader) =>
        reader.TryReadNewHandle() ? reader.ReadLent() : _array.Read(reader);
}
