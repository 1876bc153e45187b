using Cluster.Pile.Files;

namespace Cluster.Pile.Snapshots;

/// <summary>The header before each payload of a block file, 32 bytes. An immutable value; the table is in
/// <c>docs/formats/snapshot.md</c>.</summary>
/// <remarks>
/// <code>
/// bytes  0..3   kind      1 a block, 2 high waters
/// bytes  4..7   length    bytes of the payload that follows
/// bytes  8..15  block     the block, or the first of those whose high waters follow
/// bytes 16..23  entry     the block's slab entry; zero for high waters
/// bytes 24..27  checksum  over the bytes before it and the payload
/// bytes 28..31  zero
/// </code>
/// </remarks>
internal readonly record struct SnapshotRecord(uint Kind, int Length, long Block, ulong Entry)
{
    public const int Bytes = 32;
    public const uint KindBlock = 1;
    public const uint KindWaters = 2;
    public const int ChecksumAt = 24;

    /// <summary>Writes the header of a payload.</summary>
    public void Write(Span<byte> header, ReadOnlySpan<byte> payload)
    {
        header[..Bytes].Clear();
        BinaryPrimitives.WriteUInt32LittleEndian(header, Kind);
        BinaryPrimitives.WriteInt32LittleEndian(header[4..], Length);
        BinaryPrimitives.WriteInt64LittleEndian(header[8..], Block);
        BinaryPrimitives.WriteUInt64LittleEndian(header[16..], Entry);
        BinaryPrimitives.WriteUInt32LittleEndian(header[ChecksumAt..], Checksum.Of(header[..ChecksumAt], payload));
    }

    public static SnapshotRecord Read(ReadOnlySpan<byte> header) => new(
        BinaryPrimitives.ReadUInt32LittleEndian(header),
        BinaryPrimitives.ReadInt32LittleEndian(header[4..]),
        BinaryPrimitives.ReadInt64LittleEndian(header[8..]),
        BinaryPrimitives.ReadUInt64LittleEndian(header[16..]));

    /// <summary>Whether the checksum of header and payload is right.</summary>
    public static bool IsIntact(ReadOnlySpan<byte> header, ReadOnlySpan<byte> payload) =>
        BinaryPrimitives.ReadUInt64LittleEndian(header[ChecksumAt..])
            == Checksum.Of(header[..ChecksumAt], payload);
}
