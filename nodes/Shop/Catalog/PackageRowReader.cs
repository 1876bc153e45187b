using System.IO.Compression;

namespace Shop.Catalog;

/// <summary>Reads the data set that is embedded in this assembly. The README.md in the folder of the data set describes
/// its layout. Stateless.</summary>
internal static class PackageRowReader
{
    public const string ResourceName = "packages.br";
    public const int RowCountMax = 1_000_000;
    private const int FieldCount = 6;

    public static List<PackageRow> ReadEmbedded()
    {
        using var resource = typeof(PackageRowReader).Assembly.GetManifestResourceStream(ResourceName)
            ?? throw new InvalidDataException($"The assembly lacks its data set {ResourceName}.");
        return ReadCompressed(resource);
    }

    public static List<PackageRow> ReadCompressed(Stream compressed)
    {
        using var plain = new BrotliStream(compressed, CompressionMode.Decompress, leaveOpen: true);
        using var reader = new StreamReader(plain, Encoding.UTF8, false, bufferSize: 64 * 1024);
        var rows = new List<PackageRow>();
        while (reader.ReadLine() is { } line)
        {
            if (rows.Count == RowCountMax)
                throw new InvalidDataException($"The package data has more than {RowCountMax} lines.");

            rows.Add(Parse(line, rows.Count + 1));
        }

        return rows;
    }

    private static PackageRow Parse(string line, int number)
    {
        Span<Range> fields = stackalloc Range[FieldCount + 1];
        var text = line.AsSpan();
        if (text.Split(fields, '\t') != FieldCount)
            throw new InvalidDataException($"Line {number} of the package data has not {FieldCount} fields.");

        if (!int.TryParse(text[fields[3]], NumberStyles.None, CultureInfo.InvariantCulture, out var kibibytes))
            throw new InvalidDataException($"Line {number} of the package data has no size in its fourth field.");

        return new PackageRow(
            line[fields[0]], line[fields[1]], line[fields[2]], kibibytes, line[fields[4]], line[fields[5]]);
    }
}
