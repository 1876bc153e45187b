using System.IO.Compression;
using Shop.Catalog;

namespace Shop.Tests.Catalog;

public sealed class PackageRowReaderTests
{
    [Fact]
    public void ReadEmbedded_TheShippedData_IsTheWholeMainSection()
    {
        var rows = PackageRowReader.ReadEmbedded();

        Assert.Equal(63_436, rows.Count);
        Assert.Equal(rows.Count, rows.Select(row => row.Name).Distinct(StringComparer.Ordinal).Count());
        Assert.All(rows, row => Assert.NotEmpty(row.Version));
    }

    [Fact]
    public void ReadEmbedded_TheShippedData_HasNoHostNamesAndNoAddresses()
    {
        Assert.DoesNotContain(
            PackageRowReader.ReadEmbedded(),
            row => $"{row.Name} {row.Section} {row.Dependencies} {row.Provides}".Contains('@', StringComparison.Ordinal)
                || row.Dependencies.Contains("://", StringComparison.Ordinal));
    }

    [Fact]
    public void ReadCompressed_OneLine_GivesItsFields()
    {
        var row = Assert.Single(Read("bash\t5.2-1\tshells\t7164\tlibc6,cron|anacron\tsh,posix-shell\n"));

        Assert.Equal(new PackageRow("bash", "5.2-1", "shells", 7_164, "libc6,cron|anacron", "sh,posix-shell"), row);
    }

    [Theory]
    [InlineData("a\t1\ts\t1\t\n", "Line 1 of the package data has not 6 fields")]
    [InlineData("a\t1\ts\t1\t\t\tmore\n", "Line 1 of the package data has not 6 fields")]
    [InlineData("a\t1\ts\t1\t\t\nb\t1\ts\tbig\t\t\n", "Line 2 of the package data has no size")]
    [InlineData("a\t1\ts\t-1\t\t\n", "Line 1 of the package data has no size")]
    public void ReadCompressed_WrongLine_NamesTheLine(string text, string problem)
    {
        var failure = Assert.Throws<InvalidDataException>(() => Read(text));

        Assert.Contains(problem, failure.Message, StringComparison.Ordinal);
    }

    private static List<PackageRow> Read(string text)
    {
        using var compressed = new MemoryStream();
        using (var brotli = new BrotliStream(compressed, CompressionLevel.Fastest, leaveOpen: true))
            brotli.Write(Encoding.UTF8.GetBytes(text));

        compressed.Position = 0;
        return PackageRowReader.ReadCompressed(compressed);
    }
}
