using System.Text.RegularExpressions;
using Cluster.Buffers.Handles;
using Cluster.Testing;

namespace Cluster.Buffers.Tests;

/// <summary>Compares the code with the tables on buffers in <c>docs/formats/pile-layout.md</c>.</summary>
public sealed partial class BufferFormatTests
{
    private static readonly string Page =
        File.ReadAllText(Path.Join(RepositoryFolder.Path, "docs/formats/pile-layout.md"));

    public static TheoryData<string, ulong> Fields { get; } = new()
    {
        { "buffer.index", BufferWord.Handle(0, (int)BufferWord.IndexMask) },
        { "buffer.generation", BufferWord.Handle(BufferWord.GenerationMax, 0) },
        { "word.live", BufferWord.LiveWithout(0).Word },
        { "word.forgotten", BufferWord.ForgottenBit },
        { "word.leases", BufferWord.LeaseMask },
        { "word.generation", BufferWord.Vacant(BufferWord.GenerationMax).Word },
    };

    [Theory]
    [MemberData(nameof(Fields))]
    public void Field_SetToOnes_OccupiesTheBitsOfItsTable(string field, ulong ones)
    {
        var bits = FieldRow().Matches(Page).Single(row => row.Groups[1].Value == field);
        var (first, last) = (Number(bits.Groups[2].Value), Number(bits.Groups[3].Value));
        Assert.Equal((ulong.MaxValue >> (63 - last)) & (ulong.MaxValue << first), ones);
    }

    private static int Number(string digits) => int.Parse(digits, CultureInfo.InvariantCulture);

    [GeneratedRegex(@"^\| ([a-z]+\.[a-z]+) \| (\d+)\.\.(\d+) \|", RegexOptions.Multiline)]
    private static partial Regex FieldRow();
}
