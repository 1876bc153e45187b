using System.Text.RegularExpressions;
using Cluster.Pile.Caching;
using Cluster.Pile.Cells;
using Cluster.Pile.Files;
using Cluster.Pile.Snapshots;
using Cluster.Testing;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>Compares the code with the tables of <c>docs/formats/snapshot.md</c>, and reads what version 1
/// wrote.</summary>
public sealed partial class SnapshotFormatTests
{
    // The pointers of the snapshot in the golden folder.
    private const ulong GoldenBytes = 0xB453A71000002000;
    private const ulong GoldenText = 0x00E4E44000002006;
    private const ulong GoldenGone = 0x87D4CD300000200C;

    private static readonly string Page = File.ReadAllText(RepositoryFile.PathOf("docs/formats/snapshot.md"));

    [Fact]
    public void Checksum_OfTheCheckString_IsTheOneOfCrc32C() =>
        Assert.Equal(0xE3069283, Checksum.Of(Encoding.ASCII.GetBytes("123456789")));

    [Theory]
    [InlineData(0)]
    [InlineData(4)]
    [InlineData(100)]
    [InlineData(65_536)]
    public void Record_WrittenByTheCode_LiesAsThePageSays(int length)
    {
        var payload = Piles.Payload(1, length);
        var header = new byte[SnapshotRecord.Bytes];
        new SnapshotRecord(SnapshotRecord.KindBlock, length, 0x0102030405, 0x1112131415161718).Write(header, payload);

        Assert.Equal(1, BinaryPrimitives.ReadInt32LittleEndian(header.AsSpan(Offset("record.kind"))));
        Assert.Equal(length, BinaryPrimitives.ReadInt32LittleEndian(header.AsSpan(Offset("record.length"))));
        Assert.Equal(0x0102030405, BinaryPrimitives.ReadInt64LittleEndian(header.AsSpan(Offset("record.block"))));
        Assert.Equal(0x1112131415161718, BinaryPrimitives.ReadInt64LittleEndian(header.AsSpan(Offset("record.entry"))));
        Assert.Equal(0, BinaryPrimitives.ReadInt32LittleEndian(header.AsSpan(Offset("record.zero"))));
        Assert.Equal(SnapshotRecord.Bytes, Offset("record.payload"));
        Assert.Equal(
            SumOfThePage(header.AsSpan(0, Offset("record.checksum")), payload),
            BinaryPrimitives.ReadUInt32LittleEndian(header.AsSpan(Offset("record.checksum"))));
    }

    [Fact]
    public void FileHeader_WrittenByTheCode_LiesAsThePageSays()
    {
        var identity = Guid.NewGuid();
        var header = SnapshotFormat.FileHeader(identity);
        Assert.Equal("CLPILESB", Encoding.ASCII.GetString(header, Offset("file.magic"), 8));
        Assert.Equal(1, header[Offset("file.version")]);
        Assert.Equal(identity, new Guid(header.AsSpan(Offset("file.identity"), 16)));
        var at = Offset("file.checksum");
        Assert.Equal(Crc(header.AsSpan(0, at)), BinaryPrimitives.ReadUInt32LittleEndian(header.AsSpan(at)));
        Assert.Equal(at + 4, header.Length);
    }

    [Fact]
    public void Manifest_WrittenByTheCode_HasTheFieldsOfThePageInOrder()
    {
        var manifest = Sample();
        var bytes = manifest.Encode();
        var at = 0;
        foreach (Match row in ManifestRow().Matches(Page))
        {
            var name = row.Groups[1].Value;
            var length = row.Groups[2].Value;
            if (name == "types")
            {
                Assert.Equal(1, BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(at)));
                Assert.Equal(3, BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(at + 4)));
                at += 11;
                continue;
            }

            if (name == "tables")
            {
                Assert.Equal(2, BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(at)));
                at += 6;
                continue;
            }

            var value = bytes.AsSpan(at, int.Parse(length, CultureInfo.InvariantCulture));
            Assert.Equal(Expected(name, manifest, bytes), Convert.ToHexString(value), ignoreCase: true);
            at += value.Length;
        }

        Assert.Equal(bytes.Length, at);
        var read = SnapshotManifest.Decode("file", bytes);
        Assert.Equivalent(manifest, read, strict: true);
    }

    [Fact]
    public void Names_AreThoseOfThePage()
    {
        foreach (var ending in (string[])[SnapshotFormat.BlocksEnding, SnapshotFormat.ManifestEnding,
            SnapshotFormat.ManifestEnding + SnapshotFormat.TemporaryEnding])
        {
            Assert.Contains($"| {SnapshotFormat.NameOf(1, ending)} |", Page, StringComparison.Ordinal);
            Assert.True(SnapshotFormat.TryParse(SnapshotFormat.NameOf(17, ending), ending, out var generation));
            Assert.Equal(17, generation);
        }

        Assert.False(SnapshotFormat.TryParse("snapshot-1.blocks", SnapshotFormat.BlocksEnding, out _));
        Assert.False(SnapshotFormat.TryParse("other-0000000001.blocks", SnapshotFormat.BlocksEnding, out _));
        Assert.False(SnapshotFormat.TryParse("snapshot-000000000x.blocks", SnapshotFormat.BlocksEnding, out _));
    }

    [Fact]
    public async Task Snapshot_ThatVersionOneWrote_IsRestored()
    {
        using var restored = await LocalPile.RestoreAsync(
            RepositoryFile.PathOf("tests/Cluster.Pile.Tests/Golden/snapshot-1"),
            SnapshotDirectory.Options());
        Assert.Equal(Piles.Payload(1, 40), restored.GetBytes(PilePointer.FromUInt64(GoldenBytes)));
        var text = restored.GetString(PilePointer.FromUInt64(GoldenText));
        Assert.Equal("a text of forty characters, more or less", text);
        Assert.False(restored.IsLive(PilePointer.FromUInt64(GoldenGone)));
        Assert.Equal(2, restored.GetStatistics().Objects);
        PileValidator.Check(restored);
    }

    [Fact]
    public async Task Snapshot_WithTables_ThatVersionOneWrote_IsRestored()
    {
        var clock = new ManualTimeProvider(new DateTimeOffset(2027, 1, 1, 0, 0, 0, TimeSpan.Zero));
        using var restored = await LocalPile.RestoreAsync(
            RepositoryFile.PathOf("tests/Cluster.Pile.Tests/Golden/snapshot-2"), Piles.Options(clock, TimeSpan.Zero));
        var cache = new PileCache(restored);
        Assert.True(cache.TryGetTable<long, string>("people", out var people));
        Assert.Equal(
            [(1, "Ada"), (2, "Grace \u20AC"), (3, "an object of its own")],
            people.Enumerate().Select(entry => (entry.Key, entry.Value)).OrderBy(entry => entry.Key));
        Assert.True(people.TryGetPointer(3, out var owned));
        Assert.Equal("an object of its own", restored.GetString(owned));
        Assert.Equal(2 * Piles.MiB, people.MaxBytes);
        Assert.True(cache.TryGetTable<string, byte[]>("pictures", out var pictures));
        Assert.True(pictures.TryGet("small", out var picture));
        Assert.Equal(Piles.Payload(1, 100), picture);
        var cells = CellTable.GetOrCreate(restored, "graph");
        Assert.Equal([10, 11], cells.EnumerateIds().Order());
        Assert.True(cells.TryLoad(11, out var cell, out var type));
        Assert.Equal(7, type);
        Assert.Equal(Piles.Payload(2, 60), cell);
        Assert.Equal(1, restored.GetStatistics().Objects);
        PileValidator.Check(restored);
    }

    private static SnapshotManifest Sample() => new()
    {
        Identity = Guid.NewGuid(),
        Generation = 0x11,
        PointTicks = 0x2222,
        PointStep = 0x333333,
        SecretOffset = 0x4444444444,
        SecretFactor = 0x555555555555,
        PileIdentity = 0x666666666666,
        CounterFirst = 0x77,
        Margin = 0x88,
        BudgetBytes = 0x9999,
        BlockLast = 0xDDDD,
        BlockHighest = 0xBBBB,
        BlockCount = 0xCCCC,
        BlockFileBytes = 0xEEEE,
        Types = [[1, 2, 3]],
        Tables = [4, 5],
    };

    private static string Expected(string name, SnapshotManifest manifest, byte[] bytes) => name switch
    {
        "magic" => Convert.ToHexString(Encoding.ASCII.GetBytes("CLPILESM")),
        "version" => Hex(1u),
        "length" => Hex((uint)bytes.Length),
        "identity" => Convert.ToHexString(manifest.Identity.ToByteArray()),
        "blockBytes" => Hex(65_536u),
        "sizes" => Hex(SnapshotFormat.SizesFingerprint),
        "generation" => Hex((ulong)manifest.Generation),
        "cutTicks" => Hex((ulong)manifest.PointTicks),
        "cutStep" => Hex(manifest.PointStep),
        "secretOffset" => Hex(manifest.SecretOffset),
        "secretFactor" => Hex(manifest.SecretFactor),
        "pileIdentity" => Hex(manifest.PileIdentity),
        "counterFirst" => Hex(manifest.CounterFirst),
        "margin" => Hex(manifest.Margin),
        "budgetBytes" => Hex((ulong)manifest.BudgetBytes),
        "blockLast" => Hex((ulong)manifest.BlockLast),
        "blockHighest" => Hex((ulong)manifest.BlockHighest),
        "blockCount" => Hex((ulong)manifest.BlockCount),
        "blockFileBytes" => Hex((ulong)manifest.BlockFileBytes),
        "checksum" => Hex(Crc(bytes.AsSpan(0, bytes.Length - 4))),
        _ => throw new InvalidOperationException($"The page names a field {name} that nobody knows."),
    };

    private static string Hex(uint value) => Convert.ToHexString(BitConverter.GetBytes(value));

    private static string Hex(ulong value) => Convert.ToHexString(BitConverter.GetBytes(value));

    private static uint SumOfThePage(ReadOnlySpan<byte> header, ReadOnlySpan<byte> payload)
    {
        var quarter = payload.Length / 32 * 8;
        byte[] all = [.. header];
        for (var i = 0; i < 4; i++)
        {
            var part = i == 3 ? payload[(3 * quarter)..] : payload.Slice(i * quarter, quarter);
            all = [.. all, .. BitConverter.GetBytes(Crc(part))];
        }

        return Crc(all);
    }

    // Bit by bit, as it is defined.
    private static uint Crc(ReadOnlySpan<byte> bytes)
    {
        var sum = uint.MaxValue;
        foreach (var one in bytes)
        {
            sum ^= one;
            for (var bit = 0; bit < 8; bit++)
                sum = (sum >> 1) ^ ((sum & 1) * 0x82F63B78);
        }

        return ~sum;
    }

    private static int Offset(string field) =>
        int.Parse(
            OffsetRow().Matches(Page).Single(row => row.Groups[1].Value == field).Groups[2].Value,
            CultureInfo.InvariantCulture);

    [GeneratedRegex(@"^\| ((?:record|file)\.\w+) \| (\d+) \|", RegexOptions.Multiline)]
    private static partial Regex OffsetRow();

    [GeneratedRegex(@"^\| manifest\.(\w+) \| (\d*) ?\|", RegexOptions.Multiline)]
    private static partial Regex ManifestRow();
}
