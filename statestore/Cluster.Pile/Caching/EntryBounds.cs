namespace Cluster.Pile.Caching;

/// <summary>What an entry with an absolute or sliding end needs beside its deadline: eight bytes, little-endian, behind
/// its value. An immutable value.</summary>
/// <remarks>
/// <code>
/// bits 32..63  cap   (32)  the step of the clock after which nothing renews the entry; zero for none
/// bits  0..31  span  (32)  steps that a renewal gives it; zero when nothing does
/// </code>
/// </remarks>
internal readonly record struct EntryBounds(uint Cap, uint Span)
{
    public const int Bytes = 8;

    private const int CapShift = 32;

    public static EntryBounds ReadFrom(ReadOnlySpan<byte> value)
    {
        var word = BinaryPrimitives.ReadUInt64LittleEndian(value[^Bytes..]);
        return new EntryBounds((uint)(word >> CapShift), (uint)word);
    }

    public void WriteTo(Span<byte> destination) =>
        BinaryPrimitives.WriteUInt64LittleEndian(destination, ((ulong)Cap << CapShift) | Span);
}
