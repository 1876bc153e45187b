namespace Cluster.Pile.Tests;

/// <summary>A payload of any length that proves that it is whole: from 8 bytes on it names its object and version, 24
/// and 40 bits, and everything behind follows from them and the length. A shorter one has the last bits of both in its
/// first byte. Immutable.</summary>
internal readonly record struct StormPayload(long ObjectId, long Version)
{
    /// <summary>From here on a payload names its object and version.</summary>
    public const int BytesMin = 8;

    private const int VersionBits = 40;
    private const int NibbleMask = 15;

    private ulong Word => ((ulong)ObjectId << VersionBits) | (ulong)Version;

    private byte Tag => (byte)(((ObjectId & NibbleMask) << 4) | (Version & NibbleMask));

    public void Write(Span<byte> destination)
    {
        if (destination.Length >= BytesMin)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(destination, Word);
            Piles.Fill(destination[BytesMin..], Word);
        }
        else if (destination.Length > 0)
        {
            destination[0] = Tag;
            Piles.Fill(destination[1..], Tag);
        }
    }

    /// <summary>What a payload says it is; throws when it is not one whole payload.</summary>
    public static StormPayload Parse(ReadOnlySpan<byte> source)
    {
        var word = source.Length < BytesMin ? 0 : BinaryPrimitives.ReadUInt64LittleEndian(source);
        var payload = new StormPayload((long)(word >> VersionBits), (long)(word & ((1UL << VersionBits) - 1)));
        if (source.Length < BytesMin || !Piles.IsPayload(source[BytesMin..], word))
            throw new InvalidOperationException($"{payload} with {source.Length} bytes is torn.");
        return payload;
    }

    /// <summary>Whether a payload too short to name it can be of the object, and is whole.</summary>
    public static bool IsShortOf(long objectId, ReadOnlySpan<byte> source) =>
        source.Length == 0
            || (source[0] >> 4 == (objectId & NibbleMask) && Piles.IsPayload(source[1..], source[0]));
}
