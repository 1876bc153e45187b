using System.Text.RegularExpressions;
using Cluster.Pile.Layout;

namespace Cluster.Pile.Tests.Slots;

/// <summary>Compares the code with the tables of <c>docs/formats/pile-layout.md</c>.</summary>
public sealed partial class PileFormatTests
{
    private static readonly string Page = File.ReadAllText(RepositoryFile.PathOf("docs/formats/pile-layout.md"));

    [Theory]
    [InlineData("pointer.granule", 0)]
    [InlineData("pointer.generation", 1)]
    [InlineData("header.state", 2)]
    [InlineData("header.kind", 3)]
    [InlineData("header.length", 4)]
    [InlineData("header.version", 5)]
    [InlineData("header.generation", 6)]
    [InlineData("extended.kind", 7)]
    [InlineData("extended.length", 8)]
    [InlineData("extended.deadline", 9)]
    [InlineData("entry.state", 10)]
    [InlineData("entry.class", 11)]
    [InlineData("entry.position", 12)]
    [InlineData("entry.blocks", 13)]
    [InlineData("entry.incarnation", 14)]
    [InlineData("entry.wraps", 15)]
    public void Field_SetToOnes_OccupiesTheBitsOfItsTable(string field, int index)
    {
        var bits = FieldRow().Matches(Page).Single(row => row.Groups[1].Value == field);
        var (first, last) = (Number(bits.Groups[2].Value), Number(bits.Groups[3].Value));
        var expected = (ulong.MaxValue >> (63 - last)) & (ulong.MaxValue << first);
        Assert.Equal(expected, Ones()[index]);
    }

    [Fact]
    public void StatesAndKinds_HaveTheNumbersOfTheirTables()
    {
        var rows = NumberRow().Matches(Page)
            .ToDictionary(row => row.Groups[1].Value, row => Number(row.Groups[2].Value));
        Assert.All(Enum.GetValues<SlotState>(), state => Assert.Equal((int)state, rows[state.ToString()]));
        Assert.All(Enum.GetValues<PayloadKind>(), kind => Assert.Equal((int)kind, rows[kind.ToString()]));
        Assert.Equal(BlockLayout.EntryBytes, rows["entry"]);
        Assert.Equal(BlockLayout.DescriptorBytes, rows["descriptor"]);
        Assert.Equal(BlockLayout.BitmapBytes, rows["bitmap"]);
        Assert.Equal(BlockLayout.BlockBytes, rows["block"]);
        Assert.Equal(BlockLayout.SegmentBytes, rows["segment"]);
    }

    [Fact]
    public void Words_AreEightBytes()
    {
        Assert.Equal(8, Unsafe.SizeOf<PilePointer>());
        Assert.Equal(8, Unsafe.SizeOf<SlotHeader>());
        Assert.Equal(8, Unsafe.SizeOf<ExtendedWord>());
        Assert.Equal(8, Unsafe.SizeOf<SlabEntry>());
    }

    [Theory]
    [InlineData(PileOptions.MinBudgetBytes)]
    [InlineData(100_000_001)]
    [InlineData(PileOptions.MaxBudgetBytes)]
    public void Range_OfAnyBudget_IsWithinIt(long budget)
    {
        var layout = new BlockLayout(budget);
        Assert.Equal((budget / 66_088) - 1, layout.BlockCount);
        Assert.InRange(layout.BookkeepingBytes + (layout.BlockCount * BlockLayout.BlockBytes), 0, budget);
        Assert.Equal(0, layout.BlocksOffset % BlockLayout.SegmentBytes);
        Assert.Equal(layout.EntriesOffset + ((layout.BlockCount + 1) * 8), layout.DescriptorsOffset);
        Assert.Equal(layout.DescriptorsOffset + ((layout.BlockCount + 1) * 32), layout.BitmapsOffset);
        Assert.Equal(layout.BitmapsOffset + ((layout.BlockCount + 1) * 512), layout.BlocksOffset);
        Assert.Equal(layout.BlocksOffset, layout.BlockOffset(1));
        Assert.True(layout.EntriesOffset >= 0 && layout.EntriesOffset % 8 == 0);
        Assert.True(layout.BlockCount << BlockLayout.GranulesPerBlockShift < 1L << PilePointer.GranuleBits);
    }

    [Fact]
    public void CodeTable_NamesFilesThatExist()
    {
        var files = FileRow().Matches(Page).Select(row => row.Groups[1].Value).ToList();
        Assert.NotEmpty(files);
        Assert.All(files, file => Assert.True(File.Exists(RepositoryFile.PathOf(file)), file));
    }

    [Fact]
    public void Slot_InMemory_LooksAsDescribed()
    {
        using var pile = Piles.Create();
        var pointer = pile.Put("abc"u8);
        var origin = pile.Layout.OriginOffset;
        var header = new SlotHeader(pile.Window.ReadWord(origin + (pointer.Granule * 8)));
        Assert.Equal(new SlotHeader(pointer.Generation, 0, 3, PayloadKind.Bytes, SlotState.Live), header);
        Assert.Equal("abc"u8.ToArray(), PileChecks.SlotPayload(pile, pointer, 3));

        pile.Put(pointer, new byte[300_000]);
        header = new SlotHeader(pile.Window.ReadWord(origin + (pointer.Granule * 8)));
        Assert.Equal(new SlotHeader(pointer.Generation, 1, 0, PayloadKind.Link, SlotState.Live), header);
        var body = PilePointer.FromUInt64(pile.Window.ReadWord(origin + (pointer.Granule * 8) + 8));
        var bodyHeader = new SlotHeader(pile.Window.ReadWord(origin + (body.Granule * 8)));
        Assert.Equal(new SlotHeader(body.Generation, 0, 0, PayloadKind.Extended, SlotState.Marked), bodyHeader);
        var second = new ExtendedWord(pile.Window.ReadWord(origin + (body.Granule * 8) + 8));
        Assert.Equal((300_000u, PayloadKind.Bytes), (second.Length, second.Kind));
    }

    private static ulong[] Ones()
    {
        const PayloadKind kinds = (PayloadKind)7;
        const SlotState states = (SlotState)7;
        var entry = new SlabEntry(0);
        return
        [
            new PilePointer(0, (1L << PilePointer.GranuleBits) - 1).ToUInt64(),
            new PilePointer(uint.MaxValue, 0).ToUInt64(),
            new SlotHeader(0, 0, 0, 0, states).Word,
            new SlotHeader(0, 0, 0, kinds, 0).Word,
            new SlotHeader(0, 0, SlotHeader.LengthMax, 0, 0).Word,
            new SlotHeader(0, uint.MaxValue, 0, 0, 0).Word,
            new SlotHeader(uint.MaxValue, 0, 0, 0, 0).Word,
            new ExtendedWord(0, kinds, 0).Word,
            new ExtendedWord(-1, 0, 0).Word,
            new ExtendedWord(0, 0, ExtendedWord.DeadlineMax).Word,
            Life(entry, (SlabState)7, 0, 0, 1),
            Life(entry, 0, 511, 0, 1),
            Life(entry, 0, 0, 15, 1),
            Life(entry, 0, 0, 0, 16),
            new SlabEntry(0xFFFFEUL << SlabEntry.IncarnationShift).NextLife(0, 0, 0, 1).Word,
            unchecked(0 - SlabEntry.OneWrap),
        ];
    }

    private static int Number(string digits) => int.Parse(digits, CultureInfo.InvariantCulture);

    // Without the incarnation, which every life raises.
    private static ulong Life(SlabEntry entry, SlabState state, int sizeClass, int position, int blocks) =>
        entry.NextLife(state, sizeClass, position, blocks).Word & ~(1UL << SlabEntry.IncarnationShift);

    [GeneratedRegex(@"^\| ([a-z]+\.[a-z]+) \| (\d+)\.\.(\d+) \|", RegexOptions.Multiline)]
    private static partial Regex FieldRow();

    [GeneratedRegex(@"^\| (\w+) \| (\d+) \|", RegexOptions.Multiline)]
    private static partial Regex NumberRow();

    [GeneratedRegex(@"^\| `([^`]+\.cs)` \|", RegexOptions.Multiline)]
    private static partial Regex FileRow();
}
