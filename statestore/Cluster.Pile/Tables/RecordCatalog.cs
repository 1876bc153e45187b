using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Tables;

/// <summary>The description of a pile's tables, from which they and their log segments are restored in another pile or
/// process. An immutable value; its bytes are described in <c>docs/formats/record-log.md</c>.</summary>
internal sealed record RecordCatalog
{
    private const int FormatVersion = 3;
    private const long NoTime = 0;

    public required byte[] Secret { get; init; }

    /// <summary>The clock of deadlines when the catalog was made, in ticks.</summary>
    public required long ClockTicks { get; init; }

    /// <summary>The options of each table, by its number.</summary>
    public required IReadOnlyList<RecordTableOptions> Tables { get; init; }

    public byte[] Encode()
    {
        using var bytes = new MemoryStream();
        using var writer = new BinaryWriter(bytes, Encoding.UTF8);
        writer.Write(FormatVersion);
        writer.Write(Secret);
        writer.Write(ClockTicks);
        writer.Write(Tables.Count);
        foreach (var table in Tables)
            Write(writer, table);
        writer.Flush();
        return bytes.ToArray();
    }

    /// <summary>Reads the bytes of <see cref="Encode"/>.</summary>
    /// <exception cref="InvalidDataException">The bytes are something else.</exception>
    public static RecordCatalog Decode(ReadOnlySpan<byte> encoded)
    {
        try
        {
            using var stream = new MemoryStream(encoded.ToArray());
            using var reader = new BinaryReader(stream, Encoding.UTF8);
            var catalog = Read(reader);
            return stream.Position == stream.Length ? catalog : throw new FormatException("There is more.");
        }
        catch (Exception malformed) when (malformed is EndOfStreamException or ArgumentException or FormatException)
        {
            throw new InvalidDataException("The description of the tables is cut off or malformed.", malformed);
        }
    }

    private static RecordCatalog Read(BinaryReader reader)
    {
        var version = reader.ReadInt32();
        if (version != FormatVersion)
        {
            throw new InvalidDataException(
                $"The description of the tables is of version {version}; this program knows {FormatVersion}.");
        }

        var secret = reader.ReadBytes(KeyHash.SecretBytes);
        var ticks = reader.ReadInt64();
        var tables = new List<RecordTableOptions>();
        for (var left = reader.ReadInt32(); left > 0; left--)
            tables.Add(ReadTable(reader));
        return new RecordCatalog { Secret = secret, ClockTicks = ticks, Tables = tables };
    }

    private static void Write(BinaryWriter writer, RecordTableOptions table)
    {
        writer.Write((int)table.Kind);
        writer.Write(table.Name);
        writer.Write(table.KeyForm);
        writer.Write(table.ValueForm);
        writer.Write(table.MayForget);
        writer.Write(table.FloorBytes);
        writer.Write(table.LimitBytes);
        writer.Write(table.FloorRecords);
        writer.Write(table.LimitRecords);
        writer.Write(table.MaxAge?.Ticks ?? NoTime);
        writer.Write(table.SlidingExpiration?.Ticks ?? NoTime);
        writer.Write(table.TracksAge);
        if (table.Kind == RecordTableKind.Stamped)
            writer.Write(table.HashSeed ?? 0);
    }

    private static RecordTableOptions ReadTable(BinaryReader reader)
    {
        var table = ReadCommon(reader);
        return table.Kind == RecordTableKind.Stamped ? table with { HashSeed = reader.ReadUInt64() } : table;
    }

    private static RecordTableOptions ReadCommon(BinaryReader reader) => new()
    {
        Kind = (RecordTableKind)reader.ReadInt32(),
        Name = reader.ReadString(),
        KeyForm = reader.ReadString(),
        ValueForm = reader.ReadString(),
        MayForget = reader.ReadBoolean(),
        FloorBytes = reader.ReadInt64(),
        LimitBytes = reader.ReadInt64(),
        FloorRecords = reader.ReadInt64(),
        LimitRecords = reader.ReadInt64(),
        MaxAge = ReadTime(reader),
        SlidingExpiration = ReadTime(reader),
        TracksAge = reader.ReadBoolean(),
    };

    private static TimeSpan? ReadTime(BinaryReader reader) =>
        reader.ReadInt64() is var ticks and not NoTime ? new TimeSpan(ticks) : null;
}
