using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Values;

/// <summary>Writes and reads an array of bits: the number of bits, then the bits in bytes, lowest bit first; unused
/// bits are zero.</summary>
internal readonly struct BitArrayCodec : ILeafCodec<BitArray>
{
    public static void Describe(StepList steps) => steps.Bits();

    public static void Write(SlimWriter writer, BitArray value)
    {
        var bytes = new byte[BytesFor(value.Length)];
        value.CopyTo(bytes, 0);
        writer.WriteVar((uint)value.Length);
        writer.WriteBytes(bytes);
    }

    public static BitArray Read(SlimReader reader)
    {
        var length = reader.ReadVar();
        if (length > int.MaxValue || BytesFor((int)length) > reader.Remaining)
            Throw.Malformed("A bit array is longer than the rest of the message.");
        reader.Charge(2L * BytesFor((int)length));
        var bytes = new byte[BytesFor((int)length)];
        reader.ReadBytes(bytes);
        return new BitArray(bytes) { Length = (int)length };
    }

    private static int BytesFor(int bits) => (int)(((long)bits + 7) / 8);
}
