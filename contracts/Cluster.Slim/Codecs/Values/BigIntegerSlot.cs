using System.Numerics;
using Cluster.Slim.Layouts;
using Cluster.Slim.Plans;

namespace Cluster.Slim.Codecs;

/// <summary>A big integer: count and bytes of its two's complement, lowest first.</summary>
/// <param name="slots">Not used; every framework slot is made with it.</param>
internal sealed class BigIntegerSlot(SlotSource slots) : Slot<BigInteger>
{
    internal override int BytesMin => 2;

    internal SlotSource Slots => slots;

    internal override void Describe(LayoutBuilder layout) => layout.Body.Items(typeof(byte));

    internal override void Write(SlimWriter writer, BigInteger value)
    {
        byte[] bytes = value.ToByteArray();
        writer.Doubts.Charge(2L * bytes.Length);
        writer.WriteVar((uint)bytes.Length);
        writer.WriteBytes(bytes);
    }

    internal override BigInteger Read(SlimReader reader)
    {
        int count = reader.ReadCount(1);
        if (count == 0)
            Throw.Malformed("A big integer has no bytes.");
        reader.Charge(2L * count);
        byte[] bytes = new byte[count];
        reader.ReadBytes(bytes);
        return new BigInteger(bytes);
    }
}
