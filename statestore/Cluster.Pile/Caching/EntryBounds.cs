namespace Cluster.Pile.Caching;

/// <summary>The bounds of an entry with an absolute or sliding expiration, which its deadline alone does not define:
/// eight bytes, little-endian, after the value. An immutable value.</summary>
/// <remarks>
/// <code>
/// bits 32..63  cap   (32)  the latest deadline that a renewal may set; zero for none
/// bits  0..31  span  (32)  steps from a renewal to the new deadline; zero for none
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
