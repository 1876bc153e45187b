using System.Buffers.Binary;

namespace Cluster.Pile.Tests;

/// <summary>
/// A payload that names its object and version and proves that it is whole; at least 24 bytes. Immutable.
/// </summary>
internal readonly record struct StormPayload(long ObjectId, long Version)
{
    public const int BytesMin = 24;

    public void Write(Span<byte> destination)
    {
        BinaryPrimitives.WriteInt64LittleEndian(destination, ObjectId);
        BinaryPrimitives.WriteInt64LittleEndian(destination[8..], Version);
        Piles.Fill(destination[16..], Seed);
    }

    /// <summary>What a payload says it is; throws when it is not one whole payload.</summary>
    public static StormPayload Parse(ReadOnlySpan<byte> source)
    {
        if (source.Length < BytesMin)
            throw new InvalidOperationException($"{source.Length} bytes are no payload.");
        var payload = new StormPayload(
            BinaryPrimitives.ReadInt64LittleEndian(source), BinaryPrimitives.ReadInt64LittleEndian(source[8..]));
        if (!Piles.IsPayload(source[16..], payload.Seed))
            throw new InvalidOperationException($"{payload} with {source.Length} bytes is torn.");
        return payload;
    }

    private ulong Seed => ((ulong)ObjectId << 32) ^ (ulong)Version;
}
