using Cluster.Pile.Layout;
using Cluster.Pile.Mapped;
using Cluster.Pile.Memory;
using Cluster.Pile.Slabs;
using Cluster.Pile.Tests.Snapshots;
using Cluster.Slim.Hosting;

namespace Cluster.Pile.Tests.Mapped;

/// <summary>Mapped folders whose checksums are right or not compared, and whose content is not right: an attach gives a
/// pile whose operations end, or a <see cref="PileFolderException"/>.</summary>
public sealed class MappedForgeTests : IDisposable
{
    private const long Budget = PileOptions.MinBudgetBytes;

    private readonly TestFolder _folder = new();
    private readonly ForgeModel _model;
    private readonly Dictionary<string, byte[]> _files;
    private readonly BlockLayout _layout = new(Budget);

    public MappedForgeTests()
    {
        using (var pile = _folder.Attach(Budget))
            _model = new ForgeModel(pile);
        _files = Directory.GetFiles(_folder.FullName).ToDictionary(path => path, File.ReadAllBytes);
    }

    public void Dispose() => _folder.Dispose();

    /// <summary>Nothing compares the blocks, so every operation meets what is damaged.</summary>
    [Fact]
    [Trait("Case", "repair-A8")]
    public void Blocks_Damaged_UnderACheckOfTablesAlone_LetNoOperationSpin() =>
        ForgeRun.Check(0, SnapshotForgeTests.SeedsOf(50), seed => TryBlocks(seed, isClean: true));

    [Fact]
    [Trait("Case", "repair-A10")]
    public void Blocks_Damaged_AfterADeath_AreRefused_OrWork() =>
        ForgeRun.Check(0, SnapshotForgeTests.SeedsOf(40), seed => TryBlocks(seed, isClean: false));

    [Fact]
    [Trait("Case", "repair-A10")]
    public void Tables_Forged_AreRefused_OrWork() => ForgeRun.Check(0, SnapshotForgeTests.SeedsOf(30), TryTables);

    [Fact]
    [Trait("Case", "repair-A10")]
    public void SmallFiles_Forged_AreRefused_OrWork() =>
        ForgeRun.Check(0, SnapshotForgeTests.SeedsOf(60), TrySmallFile);

    [Fact]
    [Trait("Case", "repair-A10")]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public void Folders_ForgedInSomeHundredWays_AreRefused_OrWork()
    {
        ForgeRun.Check(0, SnapshotForgeTests.SeedsOf(150), seed => TryBlocks(seed, isClean: true));
        ForgeRun.Check(0, SnapshotForgeTests.SeedsOf(100), seed => TryBlocks(seed, isClean: false));
        ForgeRun.Check(0, SnapshotForgeTests.SeedsOf(75), TryTables);
        ForgeRun.Check(0, SnapshotForgeTests.SeedsOf(150), TrySmallFile);
    }

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Case", "repair-A10")]
    public void Folders_ForgedInManyWays_AreRefused_OrWork()
    {
        var first = Environment.ProcessId * 100_000;
        ForgeRun.Check(first, 5_000, seed => TryBlocks(seed, isClean: seed % 2 == 0));
        ForgeRun.Check(first, 5_000, TryTables);
        ForgeRun.Check(first, 5_000, TrySmallFile);
    }

    private List<string> TryBlocks(int seed, bool isClean)
    {
        var random = new Random(seed);
        var blocks = (byte[])_files[_folder.Blocks].Clone();
        for (var changes = random.Next(1, 40); changes > 0; changes--)
        {
            var at = InUse(random, blocks) / 64 * 64;
            SnapshotForgeTests.Forge(random, blocks.AsSpan(at, 64));
        }

        return TryAttach(seed, (_folder.Blocks, blocks), State(isClean, _files[PathOf("tables-1")]));
    }

    private List<string> TryTables(int seed)
    {
        var random = new Random(seed);
        var tables = (byte[])_files[PathOf("tables-1")].Clone();
        for (var changes = random.Next(1, 4); changes > 0; changes--)
        {
            var block = random.Next(1, 40);
            var entry = tables.AsSpan(At(_layout.EntriesOffset + (block * BlockLayout.EntryBytes)), 8);
            var descriptor = tables.AsSpan(At(_layout.DescriptorsOffset + (block * BlockLayout.DescriptorBytes)), 32);
            var bitmap = tables.AsSpan(
                At(_layout.BitmapsOffset + (block * BlockLayout.BitmapBytes)), BlockLayout.BitmapBytes);
            var part = random.Next(3);
            SnapshotForgeTests.Forge(random, part == 0 ? entry : part == 1 ? descriptor[..24] : bitmap);
            var word = new SlabEntry(BinaryPrimitives.ReadUInt64LittleEndian(entry));
            var check = RowCheck.Of(block, word, BinaryPrimitives.ReadUInt32LittleEndian(descriptor));
            BinaryPrimitives.WriteUInt32LittleEndian(descriptor[SlabTable.ChecksAt..], check);
        }

        return TryAttach(seed, (PathOf("tables-1"), tables), State(random.Next(2) == 0, tables));
    }

    private List<string> TrySmallFile(int seed)
    {
        var random = new Random(seed);
        string[] names = ["header", "state", "catalog", "intents"];
        var path = PathOf(names[random.Next(names.Length)]);
        var bytes = (byte[])_files[path].Clone();
        var isSealed = Path.GetFileName(path) != "intents";
        for (var changes = random.Next(1, 4); changes > 0; changes--)
            SnapshotForgeTests.Forge(random, isSealed ? bytes.AsSpan(12, bytes.Length - 20) : bytes);
        var content = bytes.AsSpan(0, bytes.Length - sizeof(ulong));
        if (isSealed)
            BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan(content.Length), XxHash3.Hash(content));
        return TryAttach(seed, (path, bytes));
    }

    private List<string> TryAttach(int seed, params (string Path, byte[] Bytes)[] forged)
    {
        foreach (var path in Directory.GetFiles(_folder.FullName).Except(_files.Keys))
            File.Delete(path);
        foreach (var (path, bytes) in _files)
            File.WriteAllBytes(path, forged.FirstOrDefault(file => file.Path == path).Bytes ?? bytes);
        try
        {
            var options = _folder.Options(Budget);
            options.MappedFolderCheck = PileFolderCheck.Tables;
            options.PinWait = TimeSpan.FromMilliseconds(1);
            using var pile = new LocalPile(options);
            return _model.Use(pile, seed);
        }
        catch (PileFolderException)
        {
            return [];
        }
    }

    // The state with the checksum of these tables, of a folder that was left clean or not.
    private (string Path, byte[] Bytes) State(bool isClean, byte[] tables)
    {
        var path = PathOf("state");
        var state = MappedState.Decode(_files[path], path);
        var range = NativeRangePool.Rent(NativeMemorySource.ForThisSystem, _layout.RangeBytes);
        NativeRangePool.CommitBookkeeping(range, _layout);
        var window = range.OpenWindow();
        tables.CopyTo(window.WritableSpan(MappedSource.TablesOffset(_layout), tables.Length));
        var last = TableChecksum.LastUsed(new SlabTable(window, _layout));
        var sum = TableChecksum.Of(window, _layout, last);
        NativeRangePool.Return(range);
        return (path, (state with { IsClean = isClean, BlockLast = last, TablesChecksum = sum }).Encode());
    }

    private static int InUse(Random random, byte[] bytes)
    {
        for (var attempt = 0; attempt < 100_000; attempt++)
        {
            var at = random.Next(bytes.Length);
            if (bytes[at] != 0)
                return at;
        }

        return 0;
    }

    private int At(long offset) => (int)(offset - MappedSource.TablesOffset(_layout));

    private string PathOf(string name) => Path.Join(_folder.FullName, name);
}
