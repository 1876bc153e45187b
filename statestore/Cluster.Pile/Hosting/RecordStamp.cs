namespace Cluster.Pile.Hosting;

/// <summary>What the owner of a <see cref="StampedTable"/> notes about a record. The table gives it no meaning. An
/// immutable value of 16 bytes.</summary>
/// <param name="Version">The version of the record, for example.</param>
/// <param name="Time">The end of its life, for example.</param>
public readonly record struct RecordStamp(ulong Version, long Time)
{
    /// <summary>The bytes of a stamp in a record.</summary>
    public const int Bytes = 16;

    /// <summary>Reads a stamp from the start of a record's bytes.</summary>
    /// <param name="bytes">At least <see cref="Bytes"/>.</param>
    public static RecordStamp Read(ReadOnlySpan<byte> bytes) => new(
        BinaryPrimitives.ReadUInt64LittleEndian(bytes),
        BinaryPrimitives.ReadInt64LittleEndian(bytes[sizeof(ulong)..]));

    internal void Write(Span<byte> bytes)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, Version);
        BinaryPrimitives.WriteInt64LittleEndian(bytes[sizeof(ulong)..], Time);
    }
}
