using Cluster.Pile.Layout;
using Cluster.Pile.Tables;

namespace Cluster.Pile.Cells;

/// <summary>The value of a cell's record: the bytes of the cell, then its type in two bytes, little-endian. The type
/// comes last so that the bytes have the alignment of the record. Stateless.</summary>
internal static class CellValue
{
    public const int TypeBytes = sizeof(ushort);

    public const int LengthMax = RecordStore.ValueBytesMax - TypeBytes;

    public static int LengthOf(int recordBytes)
    {
        Invariant.Holds(recordBytes >= TypeBytes, "The record of a cell ends with its type.");
        return recordBytes - TypeBytes;
    }

    public static ushort TypeOf(ReadOnlySpan<byte> record) =>
        BinaryPrimitives.ReadUInt16LittleEndian(record[LengthOf(record.Length)..]);

    public static void Write(Span<byte> record, ushort type, ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(record);
        BinaryPrimitives.WriteUInt16LittleEndian(record[bytes.Length..], type);
    }
}
