using System.Text.RegularExpressions;
using Cluster.Pile.Layout;
using Cluster.Pile.Tables.Index;
using Cluster.Pile.Tables.Log;
using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Tests.Tables;

/// <summary>Compares the code with the tables of <c>docs/formats/record-log.md</c> and
/// <c>docs/formats/record-index.md</c>.</summary>
public sealed partial class RecordFormatTests
{
    private static readonly string Log = File.ReadAllText(RepositoryFile.PathOf("docs/formats/record-log.md"));
    private static readonly string Index = File.ReadAllText(RepositoryFile.PathOf("docs/formats/record-index.md"));

    [Fact]
    public void Fields_SetToOnes_OccupyTheBitsOfTheirTables()
    {
        var expected = new Dictionary<string, ulong>
        {
            ["record.state"] = new RecordHeader((RecordState)7, 0, false, 0, 0).Word,
            ["record.kind"] = new RecordHeader(0, (RecordKind)7, false, 0, 0).Word,
            ["record.timed"] = new RecordHeader(0, 0, true, 0, 0).Word,
            ["record.slack"] = Enumerable.Range(0, 64).Select(bit => 1UL << bit)
                .Where(bit => new RecordHeader(bit).SlackWords != 0).Aggregate((bits, bit) => bits | bit),
            ["record.version"] = new RecordHeader((ulong)(RecordHeader.VersionMax - 1) << 12).NextVersion().Word,
            ["record.key"] = new RecordHeader(0, 0, false, RecordHeader.KeyBytesMax, 0).Word,
            ["record.value"] = new RecordHeader(0, 0, false, 0, RecordHeader.ValueBytesMax).Word,
            ["times.deadline"] = new RecordTimes(uint.MaxValue, 0).Word,
            ["times.put"] = new RecordTimes(0, uint.MaxValue).Word,
            ["table.number"] = SegmentHeader.Describe(uint.MaxValue, default),
            ["table.level"] = SegmentHeader.Describe(0, new LogClass(0, 255, 0, false)),
            ["table.priority"] = SegmentHeader.Describe(0, new LogClass(255, 0, 0, false)),
            ["table.main"] = SegmentHeader.Describe(0, new LogClass(0, 0, 0, true)),
        };
        CheckFields(Log, expected);
        expected = new Dictionary<string, ulong>
        {
            ["entry.granule"] = new IndexEntry(0, 0, (1L << PilePointer.GranuleBits) - 1).Word,
            ["entry.distance"] = new IndexEntry(0, IndexEntry.DistanceMax, 0).Word,
            ["entry.tag"] = IndexEntry.Sought(IndexEntry.TagOf(ulong.MaxValue), 0),
            ["control.locked"] = BucketControl.Locked,
            ["control.reach"] = (ulong)IndexEntry.DistanceMax << BucketControl.ReachShift,
            ["control.strays"] = (ulong)BucketControl.StraysMax << BucketControl.StraysShift,
            ["control.version"] = new BucketControl(0xFFFFC000).Changed().Half,
            ["page.block"] = new PageWord((1L << PageWord.DepthShift) - 1, 0).Word,
            ["page.depth"] = new PageWord(0, (1 << PageWord.DepthBits) - 1).Word,
        };
        CheckFields(Index, expected);
    }

    [Fact]
    public void StatesAndKinds_HaveTheNumbersOfTheirTables()
    {
        var rows = NumberRow().Matches(Log).ToDictionary(row => row.Groups[1].Value, row => Number(row, 2));
        Assert.All(Enum.GetValues<RecordState>(), state => Assert.Equal((int)state, rows[state.ToString()]));
        Assert.All(Enum.GetValues<RecordKind>(), kind => Assert.Equal((int)kind, rows[kind.ToString()]));
    }

    [Fact]
    public void Words_AreEightBytes()
    {
        Assert.Equal(8, Unsafe.SizeOf<RecordHeader>());
        Assert.Equal(8, Unsafe.SizeOf<RecordTimes>());
        Assert.Equal(8, Unsafe.SizeOf<IndexEntry>());
        Assert.Equal(4, Unsafe.SizeOf<BucketControl>());
        Assert.Equal(8, Unsafe.SizeOf<PageWord>());
        Assert.Equal(BlockLayout.BlockBytes, IndexPage.Buckets * IndexPage.BucketBytes);
    }

    [Fact]
    public void Segment_InMemory_LooksAsDescribed()
    {
        using var pile = Records.CreatePile();
        var store = pile.Records.Create();
        var second = pile.Records.Create();
        var id = 0x0102030405060708;
        second.Put(RecordKey.Of(store.Hash, in id), new RecordForm { Priority = 3, Kind = RecordKind.Latin1 }, "abc"u8);
        var segment = Assert.Single(second.Log.Snapshot());
        var places = PlaceRow().Matches(Log).ToDictionary(row => row.Groups[2].Value, row => Number(row, 1));
        ulong Word(string place) => pile.Window.ReadWord(segment.Offset + places[place]);
        Assert.Equal("CLUSTLOG"u8.ToArray(), BitConverter.GetBytes(Word("magic")));
        Assert.Equal(1UL | (3UL << 40), Word("table"));
        Assert.Equal(segment.Sequence, Word("sequence"));
        Assert.Equal(64UL + 24, Word("cursor"));
        Assert.Equal(0UL, Word("window"));
        var record = new RecordHeader(pile.Window.ReadWord(segment.Offset + 64));
        Assert.Equal(new RecordHeader(RecordState.Live, RecordKind.Latin1, false, 8, 3), record);
        Assert.Equal((ulong)id, pile.Window.ReadWord(segment.Offset + 72));
        Assert.Equal(0x636261UL, pile.Window.ReadWord(segment.Offset + 80));
        Assert.Equal(0UL, pile.Window.ReadWord(segment.Offset + 88));
    }

    [Fact]
    public void CodeTables_NameFilesThatExist()
    {
        var files = FileRow().Matches(Log + Index).Select(row => row.Groups[1].Value).ToList();
        Assert.NotEmpty(files);
        Assert.All(files, file => Assert.True(File.Exists(RepositoryFile.PathOf(file)), file));
    }

    private static void CheckFields(string page, Dictionary<string, ulong> expected)
    {
        var rows = FieldRow().Matches(page);
        Assert.Equal(expected.Keys.Order(), rows.Select(row => row.Groups[1].Value).Order());
        foreach (Match row in rows)
        {
            var (first, last) = (Number(row, 2), Number(row, 3));
            var bits = (ulong.MaxValue >> (63 - last)) & (ulong.MaxValue << first);
            Assert.True(bits == expected[row.Groups[1].Value], row.Value);
        }
    }

    private static int Number(Match row, int group) => int.Parse(row.Groups[group].Value, CultureInfo.InvariantCulture);

    [GeneratedRegex(@"^\| ([a-z]+\.[a-z]+) \| (\d+)\.\.(\d+) \|", RegexOptions.Multiline)]
    private static partial Regex FieldRow();

    [GeneratedRegex(@"^\| (\w+) \| (\d+) \|", RegexOptions.Multiline)]
    private static partial Regex NumberRow();

    [GeneratedRegex(@"^\| (\d+) \| `(\w+)` \|", RegexOptions.Multiline)]
    private static partial Regex PlaceRow();

    [GeneratedRegex(@"^\| `([^`]+\.cs)` \|", RegexOptions.Multiline)]
    private static partial Regex FileRow();
}
