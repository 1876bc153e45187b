using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Values;

/// <summary>Writes and reads a big integer: count and bytes of its two's complement, lowest first.</summary>
/// <param name="source">Not used; all framework field serializers are created with it.</param>
internal sealed class BigIntegerFieldSerializer(SerializerSource source) : FieldSerializer<BigInteger>
{
    public override int BytesMin => 2;

    public SerializerSource Slots => source;

    public override void Describe(LayoutBuilder layout) => layout.Body.Items(typeof(byte));

    public override void Write(SlimWriter writer, BigInteger value)
    {
        var bytes = value.ToByteArray();
        writer.Doubts.Charge(2L * bytes.Length);
        writer.WriteVar((uint)bytes.Length);
        writer.WriteBytes(bytes);
    }

    public override BigInteger Read(SlimReader reader)
    {
        var count = reader.ReadCount(1);
        if (count == 0)
            Throw.Malformed("A big integer has no bytes.");
        reader.Charge(2L * count);
        var bytes = new byte[count];
        reader.ReadBytes(bytes);
        return new BigInteger(bytes);
    }
}
