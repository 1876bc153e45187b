using System.Security.Cryptography;

namespace Cluster.Glue.Wire;

/// <summary>128 random bits that the opener of a link chooses. A process that knows them may attach streams to the
/// link. Zero: the link has one stream and ends with it.</summary>
internal readonly record struct LinkSecret(UInt128 Value)
{
    private const int Bytes = 16;

    public bool IsNone => Value == UInt128.Zero;

    public static LinkSecret New() =>
        new(BinaryPrimitives.ReadUInt128LittleEndian(RandomNumberGenerator.GetBytes(Bytes)));

    public static LinkSecret Read(ref WireReader reader) =>
        new(BinaryPrimitives.ReadUInt128LittleEndian(reader.ReadBytes(Bytes, "link secret")));

    public void Write(WireBuffer output)
    {
        BinaryPrimitives.WriteUInt128LittleEndian(output.GetSpan(Bytes), Value);
        output.Advance(Bytes);
    }

    /// <summary>Never the secret itself, so that it cannot reach a log.</summary>
    public override string ToString() => "(secret)";
}
