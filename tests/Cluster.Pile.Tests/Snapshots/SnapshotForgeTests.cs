using Cluster.Pile.Files;
using Cluster.Pile.Layout;
using Cluster.Pile.Snapshots;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>Snapshots whose checksums are right and whose content is not: a restore gives a pile that works, or a
/// <see cref="PileSnapshotException"/>.</summary>
[Trait("Case", "repair-A10")]
public sealed class SnapshotForgeTests : IDisposable
{
    private const long Budget = 8 * Piles.MiB;

    private readonly SnapshotDirectory _folder = new();
    private readonly ForgeModel _model;
    private readonly byte[] _manifest;
    private readonly byte[] _blocks;

    public SnapshotForgeTests()
    {
        using var pile = Piles.Create(Budget);
        _model = new ForgeModel(pile);
        pile.SaveAsync(_folder.Path).GetAwaiter().GetResult();
        _manifest = File.ReadAllBytes(_folder.File(1, SnapshotFormat.ManifestEnding));
        _blocks = File.ReadAllBytes(_folder.File(1, SnapshotFormat.BlocksEnding));
    }

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Manifest_Forged_IsRefused_OrWorks() => ForgeRun.Check(0, SeedsOf(30), TryManifest);

    [Fact]
    public void Blocks_Forged_AreRefused_OrWork() => ForgeRun.Check(0, SeedsOf(40), TryBlocks);

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public void Snapshots_ForgedInSomeHundredWays_AreRefused_OrWork()
    {
        ForgeRun.Check(0, SeedsOf(200), TryManifest);
        ForgeRun.Check(0, SeedsOf(300), TryBlocks);
    }

    [Fact]
    [Trait("Category", "Soak")]
    public void Snapshots_ForgedInManyWays_AreRefused_OrWork()
    {
        ForgeRun.Check(Environment.ProcessId * 100_000, 15_000, TryManifest);
        ForgeRun.Check(Environment.ProcessId * 100_000, 15_000, TryBlocks);
    }

    internal static int SeedsOf(int usual) =>
        int.TryParse(Environment.GetEnvironmentVariable("CLUSTER_FORGE_SEEDS"), out var seeds) ? seeds : usual;

    private IEnumerable<string> TryManifest(int seed)
    {
        var random = new Random(seed);
        var forged = (byte[])_manifest.Clone();
        for (var changes = random.Next(1, 4); changes > 0; changes--)
            Forge(random, forged.AsSpan(16, forged.Length - 20));
        SealManifest(forged);
        return TryRestore(forged, _blocks, seed);
    }

    private IEnumerable<string> TryBlocks(int seed)
    {
        var random = new Random(seed);
        var forged = (byte[])_blocks.Clone();
        var records = RecordsOf(forged);
        for (var changes = random.Next(1, 6); changes > 0; changes--)
        {
            var (at, length) = records[random.Next(records.Count)];
            var header = forged.AsSpan(at, SnapshotRecord.Bytes);
            var payload = forged.AsSpan(at + SnapshotRecord.Bytes, length);

            // Mostly where something is, which is at the beginning.
            if (random.Next(4) == 0)
                Forge(random, header[..24]);
            else if (random.Next(2) == 0)
                Forge(random, payload[..Math.Min(length, 4096)]);
            else
                Forge(random, payload);
            BinaryPrimitives.WriteUInt32LittleEndian(
                header[SnapshotRecord.ChecksumAt..], Checksum.Of(header[..SnapshotRecord.ChecksumAt], payload));
        }

        return TryRestore(_manifest, forged, seed);
    }

    private List<string> TryRestore(byte[] manifest, byte[] blocks, int seed)
    {
        File.WriteAllBytes(_folder.File(1, SnapshotFormat.ManifestEnding), manifest);
        File.WriteAllBytes(_folder.File(1, SnapshotFormat.BlocksEnding), blocks);
        try
        {
            using var pile = _folder.RestoreAsync(SnapshotDirectory.Options(Budget)).GetAwaiter().GetResult();
            return _model.Use(pile, seed);
        }
        catch (PileSnapshotException)
        {
            return [];
        }
    }

    private static List<(int At, int Length)> RecordsOf(byte[] blocks)
    {
        var records = new List<(int At, int Length)>();
        for (var at = SnapshotFormat.FileHeaderBytes; at < blocks.Length;)
        {
            var length = SnapshotRecord.Read(blocks.AsSpan(at)).Length;
            records.Add((at, length));
            at += SnapshotRecord.Bytes + length;
        }

        Assert.Contains(records, record => record.Length == BlockLayout.BlockBytes);
        return records;
    }

    private static void SealManifest(byte[] bytes)
    {
        var content = bytes.AsSpan(0, bytes.Length - sizeof(uint));
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(content.Length), Checksum.Of(content));
    }

    /// <summary>Changes something: a bit, a byte, a number to one at a border, or a word to another one of the same
    /// bytes.</summary>
    internal static void Forge(Random random, Span<byte> bytes)
    {
        var at = random.Next(bytes.Length);
        var word = bytes.Slice(Math.Min(at / 8 * 8, bytes.Length - 8), 8);
        switch (random.Next(5))
        {
            case 0:
                bytes[at] ^= (byte)(1 << random.Next(8));
                break;
            case 1:
                bytes[at] = (byte)random.Next(256);
                break;
            case 2:
                long[] borders = [0, -1, long.MaxValue, long.MinValue, int.MaxValue, int.MinValue, 1L << 40, 65_536];
                BinaryPrimitives.WriteInt64LittleEndian(word, borders[random.Next(borders.Length)]);
                break;
            case 3:
                BinaryPrimitives.WriteInt32LittleEndian(
                    bytes.Slice(Math.Min(at, bytes.Length - 4), 4), random.Next(2) == 0 ? -1 : int.MaxValue);
                break;
            default:
                var from = random.Next(bytes.Length - 8 + 1) / 8 * 8;
                bytes.Slice(from, 8).ToArray().CopyTo(word);
                break;
        }
    }
}
