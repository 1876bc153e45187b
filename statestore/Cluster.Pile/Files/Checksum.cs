namespace Cluster.Pile.Files;

/// <summary>CRC32C by the processor's instruction. The instruction must wait for its previous result, so a long span is
/// computed as four independent streams, whose sums are combined. Stateless.</summary>
internal static class Checksum
{
    private const int Streams = 4;

    /// <summary>The plain CRC32C of bytes.</summary>
    public static uint Of(ReadOnlySpan<byte> bytes)
    {
        var sum = uint.MaxValue;
        foreach (var word in MemoryMarshal.Cast<byte, ulong>(bytes))
            sum = BitOperations.Crc32C(sum, word);
        foreach (var left in bytes[(bytes.Length & ~7)..])
            sum = BitOperations.Crc32C(sum, left);
        return ~sum;
    }

    /// <summary>The checksum over a header and its payload: CRC32C of the header followed by the CRC32Cs of the four
    /// quarters of the payload. The first three quarters are of equal size and of whole words; the last one has the
    /// rest.</summary>
    public static uint Of(ReadOnlySpan<byte> header, ReadOnlySpan<byte> payload)
    {
        var words = MemoryMarshal.Cast<byte, ulong>(payload);
        var length = words.Length / Streams;
        var first = words[..length];
        var second = words.Slice(length, length);
        var third = words.Slice(2 * length, length);
        var fourth = words.Slice(3 * length, length);
        Span<uint> sums = [uint.MaxValue, uint.MaxValue, uint.MaxValue, uint.MaxValue];
        var (a, b, c, d) = (sums[0], sums[1], sums[2], sums[3]);
        for (var i = 0; i < first.Length && i < second.Length && i < third.Length && i < fourth.Length; i++)
        {
            a = BitOperations.Crc32C(a, first[i]);
            b = BitOperations.Crc32C(b, second[i]);
            c = BitOperations.Crc32C(c, third[i]);
            d = BitOperations.Crc32C(d, fourth[i]);
        }

        foreach (var left in payload[(Streams * length * sizeof(ulong))..])
            d = BitOperations.Crc32C(d, left);
        Span<byte> all = stackalloc byte[header.Length + (Streams * sizeof(uint))];
        header.CopyTo(all);
        (sums[0], sums[1], sums[2], sums[3]) = (~a, ~b, ~c, ~d);
        for (var i = 0; i < Streams; i++)
            BinaryPrimitives.WriteUInt32LittleEndian(all[(header.Length + (i * sizeof(uint)))..], sums[i]);
        return Of(all);
    }
}
