using System.Text.RegularExpressions;
using Cluster.Pile.Files;
using Cluster.Pile.Layout;
using Cluster.Pile.Mapped;
using Cluster.Pile.Mapped.Intents;
using Cluster.Pile.Memory;
using Cluster.Pile.Slabs;
using Cluster.Slim.Hosting;

namespace Cluster.Pile.Tests.Mapped;

/// <summary>Compares the files of a mapped folder with the tables of <c>docs/formats/mapped-files.md</c>.</summary>
public sealed partial class MappedFormatTests
{
    private const ulong Identity = 0x5152535455565758;

    private static readonly string Page = File.ReadAllText(RepositoryFile.PathOf("docs/formats/mapped-files.md"));

    [Fact]
    public void Header_HasItsFieldsWhereThePageSays()
    {
        var header = new MappedHeader
        {
            BudgetBytes = 0x0000001314151617,
            TablesNumber = 0x21222324,
            Secret = (0x3132333435363738, 0x4142434445464748),
            Identity = Identity,
            CounterFirst = 0x616263,
            HasFloors = true,
        };
        var bytes = header.Encode();
        Assert.Equal("CPILEAP1", Text(bytes, "header.magic"));
        Assert.Equal(1U, Half(bytes, "header.version"));
        Assert.Equal(0x21222324U, Half(bytes, "header.tables"));
        Assert.Equal(0x1314151617UL, Word(bytes, "header.budget"));
        Assert.Equal(0x3132333435363738UL, Word(bytes, "header.offset"));
        Assert.Equal(0x4142434445464748UL, Word(bytes, "header.factor"));
        Assert.Equal(0x5152535455565758UL, Word(bytes, "header.identity"));
        Assert.Equal(0x616263U, Half(bytes, "header.counter"));
        Assert.Equal(1U, Half(bytes, "header.floors"));
        var checksumAt = OffsetOf("header.checksum");
        Assert.Equal(XxHash3.Hash(bytes.AsSpan(0, checksumAt)), Word(bytes, "header.checksum"));
        Assert.Equal(checksumAt + 8, bytes.Length);
        Assert.Equal(header, MappedHeader.Decode(bytes, "file"));
    }

    [Fact]
    public void Catalog_HasItsFieldsWhereThePageSays()
    {
        using var folder = new TestFolder();
        var path = Path.Join(folder.FullName, "catalog");
        CatalogFile.Create(path);
        new CatalogFile(path).Keep([1, 2, 3]);
        var bytes = File.ReadAllBytes(path);
        Assert.Equal("CPILECT1", Text(bytes, "catalog.magic"));
        Assert.Equal((1U, 3U), (Half(bytes, "catalog.version"), Half(bytes, "catalog.length")));
        Assert.Equal([1, 2, 3], bytes.AsSpan(OffsetOf("catalog.description"), 3).ToArray());
        Assert.Equal(XxHash3.Hash(bytes.AsSpan(0, bytes.Length - 8)), BitConverter.ToUInt64(bytes.AsSpan()[^8..]));
        Assert.Equal([1, 2, 3], new CatalogFile(path).Description.ToArray());
    }

    [Fact]
    public void State_HasItsFieldsWhereThePageSays()
    {
        var state = new MappedState
        {
            IsClean = true,
            OriginTicks = 11,
            ElapsedTicks = 12,
            Boot = new Guid("00112233-4455-6677-8899-aabbccddeeff"),
            Objects = 13,
            Links = 14,
            LiveBytes = 15,
            BlockLast = 16,
            TablesChecksum = 17,
            MomentTicks = 18,
        };
        var bytes = state.Encode();
        Assert.Equal("CPILEST1", Text(bytes, "state.magic"));
        Assert.Equal((1U, 1U), (Half(bytes, "state.version"), Half(bytes, "state.clean")));
        Assert.Equal((11UL, 12UL), (Word(bytes, "state.origin"), Word(bytes, "state.elapsed")));
        Assert.Equal(state.Boot, new Guid(bytes.AsSpan(OffsetOf("state.boot"), 16)));
        Assert.Equal((13UL, 14UL), (Word(bytes, "state.objects"), Word(bytes, "state.links")));
        Assert.Equal((15UL, 16UL), (Word(bytes, "state.live"), Word(bytes, "state.last")));
        Assert.Equal((17UL, 0UL), (Word(bytes, "state.tables"), Word(bytes, "state.retired")));
        Assert.Equal(18UL, Word(bytes, "state.moment"));
        var checksumAt = bytes.Length - sizeof(ulong);
        var checksum = BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(checksumAt));
        Assert.Equal(XxHash3.Hash(bytes.AsSpan(0, checksumAt)), checksum);
        Assert.Equal(OffsetOf("state.retired") + (8 * SizeClasses.Count) + 8, bytes.Length);
    }

    [Fact]
    public void Intents_HaveTheirFieldsWhereThePageSays()
    {
        var range = NativeRangePool.Rent(NativeMemorySource.ForThisSystem, UpdateIntents.FileBytes);
        var window = new NativeWindow(range.Address, UpdateIntents.FileBytes);
        window.WriteWord(0, UpdateIntents.Magic);
        var intents = new UpdateIntents(window, Identity) { TypeCount = 5 };
        var purge = intents.BeginPurge();
        var intent = new UpdateIntent(77, new SlotHeader(88), new SlotHeader(99), PilePointer.FromUInt64(111));
        var record = intents.Begin(intent);
        var magic = BitConverter.GetBytes(window.ReadWord(OffsetOf("intents.magic")));
        Assert.Equal("PILEINT1", Encoding.ASCII.GetString(magic));
        var mark = BitConverter.GetBytes(window.ReadWord(OffsetOf("intents.purge")));
        Assert.Equal("PILEPURG", Encoding.ASCII.GetString(mark));
        var check = XxHash3.Hash(BitConverter.GetBytes(Identity), UpdateIntents.PurgeMark);
        Assert.Equal(check, window.ReadWord(OffsetOf("intents.check")));
        Assert.Equal(5UL, window.ReadWord(OffsetOf("intents.types")));
        Assert.Equal(0, record % 64);
        Assert.Equal(2UL, window.ReadWord(record + OffsetOf("intent.stage")));
        Assert.Equal(77UL, window.ReadWord(record + OffsetOf("intent.granule")));
        Assert.Equal(88UL, window.ReadWord(record + OffsetOf("intent.locked")));
        Assert.Equal(99UL, window.ReadWord(record + OffsetOf("intent.next")));
        Assert.Equal(111UL, window.ReadWord(record + OffsetOf("intent.spare")));
        Assert.Equal([intent], intents.Unfinished());
        intents.End(record);
        using (intents.BeginPurge())
            purge.Dispose();
        Assert.Empty(intents.Unfinished());
        Assert.False(intents.IsPurging);
        Assert.Equal((0UL, 0UL), (window.ReadWord(8), window.ReadWord(24)));
        NativeRangePool.Return(range);
    }

    [Fact]
    public void TypeRecord_HasItsFieldsWhereThePageSays()
    {
        using var folder = new TestFolder();
        var path = Path.Join(folder.FullName, "types");
        TypeLog.Create(path);
        using (var log = new TypeLog(path))
            log.Append("description"u8);
        var bytes = File.ReadAllBytes(path);
        Assert.Equal("PILETYP1", Encoding.ASCII.GetString(bytes.AsSpan(0, 8)));
        var record = bytes[8..];
        Assert.Equal(11U, Half(record, "type.length"));
        Assert.Equal((uint)XxHash3.Hash(record.AsSpan(0, 4), 1), Half(record, "type.check"));
        Assert.Equal(XxHash3.Hash("description"u8, 1), Word(record, "type.checksum"));
        Assert.Equal("description"u8, record.AsSpan(OffsetOf("type.description")));
    }

    [Fact]
    public void Rows_HaveTheChecksOfThePage_AlsoThoseNeverUsed()
    {
        const long budget = PileOptions.MinBudgetBytes;
        using var folder = new TestFolder();
        long used;
        SlabEntry entry;
        using (var pile = folder.Attach(budget))
        {
            used = SlabTable.BlockOf(pile.Put("used"u8).Granule);
            entry = pile.Context.Table.Entry(used);
        }

        var layout = new BlockLayout(budget);
        var tables = File.ReadAllBytes(Path.Join(folder.FullName, "tables-1"));
        var blocks = File.ReadAllBytes(folder.Blocks);
        for (long block = 1; block <= layout.BlockCount; block++)
        {
            var at = layout.DescriptorsOffset + (block * 32) - MappedSource.TablesOffset(layout);
            var descriptor = tables.AsSpan((int)at, 32);
            var word = block == used ? entry.Word & 0xFF_FFFF_FFFF : 0;
            var check = Crc32C(Crc32C(Crc32C(0xFFFFFFFF, (ulong)block), word), 0);
            Assert.Equal(check, BinaryPrimitives.ReadUInt32LittleEndian(descriptor[24..]));
            var content = blocks.AsSpan((int)(block - 1) * 65_536, 65_536);
            var sum = block == used ? Checksum.Of(BitConverter.GetBytes(block), content) : 0;
            Assert.Equal(sum, BinaryPrimitives.ReadUInt32LittleEndian(descriptor[28..]));
        }

        Assert.Equal(Crc32C(0x5A5A5A5A, 77), RowCheck.Changing(77));
    }

    [Fact]
    public void Folder_HasTheFilesOfThePage_AndNoOthers()
    {
        using var folder = new TestFolder();
        folder.Attach().Dispose();
        var named = FileRow().Matches(Page)
            .Select(row => row.Groups[1].Value.Replace("-N", "-1", StringComparison.Ordinal));
        var found = Directory.EnumerateFiles(folder.FullName).Select(path => Path.GetFileName(path)!)
            .Concat(["making", "lost"]);
        Assert.Equal(named.Order(StringComparer.Ordinal), found.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void CodeTable_NamesFilesThatExist()
    {
        var files = CodeRow().Matches(Page).Select(row => row.Groups[1].Value).ToList();
        Assert.NotEmpty(files);
        Assert.All(files, file => Assert.True(File.Exists(RepositoryFile.PathOf(file)), file));
    }

    // Bit by bit, with the reflected polynomial of Castagnoli.
    private static uint Crc32C(uint start, ulong word)
    {
        for (var bit = 0; bit < 64; bit++, word >>= 1)
            start = (start >> 1) ^ (((start ^ (uint)word) & 1) * 0x82F63B78);
        return start;
    }

    private static int OffsetOf(string field) =>
        int.Parse(
            FieldRow().Matches(Page).Single(row => row.Groups[1].Value == field).Groups[2].Value,
            CultureInfo.InvariantCulture);

    private static ulong Word(byte[] bytes, string field) =>
        BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(OffsetOf(field)));

    private static uint Half(byte[] bytes, string field) =>
        BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(OffsetOf(field)));

    private static string Text(byte[] bytes, string field) =>
        Encoding.ASCII.GetString(bytes.AsSpan(OffsetOf(field), 8));

    [GeneratedRegex(@"^\| ([a-z]+\.[a-z]+) \| (\d+) \|", RegexOptions.Multiline)]
    private static partial Regex FieldRow();

    [GeneratedRegex(@"^\| `([a-z]+(?:-N)?)` \|", RegexOptions.Multiline)]
    private static partial Regex FileRow();

    [GeneratedRegex(@"^\| `([^`]+\.cs)` \|", RegexOptions.Multiline)]
    private static partial Regex CodeRow();
}
