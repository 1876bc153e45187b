using Cluster.Pile.Caching;
using Cluster.Pile.Cells;
using Cluster.Pile.Snapshots;
using Cluster.Pile.Tables.Log;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>Damage of every file is noticed, its place is named, and the older snapshot is offered.</summary>
public sealed class SnapshotDamageTests(ITestOutputHelper output)
{
    private const int BlockRecordBytes = SnapshotRecord.Bytes + (64 * 1024);

    [Theory]
    [InlineData(SnapshotFormat.ManifestEnding)]
    [InlineData(SnapshotFormat.BlocksEnding)]
    [Trait("Case", "pile-29")]
    public async Task File_WithAnyBitFlipped_IsRefusedWithThePlace_AndTheOlderOneOffered(string ending)
    {
        var seed = Environment.ProcessId;
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        using var folder = await SaveTwiceAsync();
        var path = folder.File(2, ending);
        var bytes = await File.ReadAllBytesAsync(path);
        for (var i = 0; i < 60; i++)
        {
            var at = i < 30 ? i * 3 : random.Next(bytes.Length);
            await CheckRefusedAsync(folder, path, Changed(bytes, copy => copy[at] ^= (byte)(1 << random.Next(8))), at);
        }

        await File.WriteAllBytesAsync(path, bytes);
        using var restored = await folder.RestoreAsync();
        Assert.Equal(4, restored.GetStatistics().Objects);
    }

    [Theory]
    [InlineData(SnapshotFormat.ManifestEnding)]
    [InlineData(SnapshotFormat.BlocksEnding)]
    [Trait("Case", "pile-29")]
    public async Task File_CutShortOrLongerOrWithAPageOfZeros_IsRefused(string ending)
    {
        using var folder = await SaveTwiceAsync();
        var path = folder.File(2, ending);
        var bytes = await File.ReadAllBytesAsync(path);
        foreach (var length in (int[])[0, 1, 7, 31, 32, 33, bytes.Length / 2, bytes.Length - 4096, bytes.Length - 1])
        {
            if (length >= 0)
                await CheckRefusedAsync(folder, path, bytes[..length], length);
        }

        await CheckRefusedAsync(folder, path, [.. bytes, 0], bytes.Length);
        for (var page = 0; page < bytes.Length; page += Math.Max(4096, bytes.Length / 16))
        {
            var zeros = Math.Min(4096, bytes.Length - page);
            var damaged = Changed(bytes, copy => copy.AsSpan(page, zeros).Clear());
            if (!damaged.AsSpan().SequenceEqual(bytes))
                await CheckRefusedAsync(folder, path, damaged, page);
        }
    }

    [Fact]
    [Trait("Case", "pile-29")]
    public async Task Blocks_WithARecordTwice_OrInThePlaceOfAnother_AreRefused()
    {
        using var folder = await SaveTwiceAsync();
        var path = folder.File(2, SnapshotFormat.BlocksEnding);
        var bytes = await File.ReadAllBytesAsync(path);
        var last = bytes.Length - BlockRecordBytes;
        var before = last - BlockRecordBytes;
        var twice = Changed(bytes, copy => copy.AsSpan(before, BlockRecordBytes).CopyTo(copy.AsSpan(last)));
        await CheckRefusedAsync(folder, path, twice, last);
    }

    [Fact]
    [Trait("Case", "pile-29")]
    public async Task Segment_ThatMakesNoSense_OrHasNoTable_IsRefusedWithItsBlock()
    {
        using var folder = await SaveTwiceAsync();
        using var pile = await folder.RestoreAsync();
        var segment = pile.Records.All[0].Log.Snapshot().First();
        foreach (var (at, word, problem) in ((int, ulong, string)[])[
            (SegmentHeader.TableAt, 9, "table 9"), (SegmentHeader.Bytes, 7, "no state")])
        {
            var before = pile.Window.ReadWord(segment.Offset + at);
            pile.Window.WriteWord(segment.Offset + at, word);
            using var other = new SnapshotDirectory();
            await pile.SaveAsync(other.Path);
            pile.Window.WriteWord(segment.Offset + at, before);
            var failure = await Assert.ThrowsAsync<PileSnapshotException>(() => other.RestoreAsync());
            Assert.Equal(PileSnapshotProblem.Damaged, failure.Problem);
            Assert.Equal(segment.Head, failure.Block);
            Assert.Contains(problem, failure.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    [Trait("Case", "pile-29")]
    public async Task Files_OfAnotherSnapshot_OrOfNone_AreRefusedAsForeign()
    {
        using var folder = await SaveTwiceAsync();
        using var other = await SaveTwiceAsync();
        File.Copy(other.File(2, SnapshotFormat.BlocksEnding), folder.File(2, SnapshotFormat.BlocksEnding), true);
        await CheckProblemAsync(folder, PileSnapshotProblem.Foreign, SnapshotFormat.BlocksEnding);
        File.Copy(folder.File(1, SnapshotFormat.ManifestEnding), folder.File(2, SnapshotFormat.ManifestEnding), true);
        await CheckProblemAsync(folder, PileSnapshotProblem.Foreign, SnapshotFormat.ManifestEnding);
        await File.WriteAllTextAsync(
            folder.File(2, SnapshotFormat.ManifestEnding), "A text that is long enough to be a manifest.");
        await CheckProblemAsync(folder, PileSnapshotProblem.Foreign, SnapshotFormat.ManifestEnding);
    }

    [Fact]
    [Trait("Case", "pile-29")]
    public async Task Manifest_OfANewerVersion_IsRefusedAsSuch()
    {
        using var folder = await SaveTwiceAsync();
        var path = folder.File(2, SnapshotFormat.ManifestEnding);
        var bytes = await File.ReadAllBytesAsync(path);
        await File.WriteAllBytesAsync(path, Changed(bytes, copy => copy[8] = 2));
        await CheckProblemAsync(folder, PileSnapshotProblem.Newer, SnapshotFormat.ManifestEnding);
    }

    [Fact]
    [Trait("Case", "pile-29")]
    public async Task Folder_WithoutABlockFile_OffersTheOlderOne_AndWithoutAnySnapshot_SaysSo()
    {
        using var folder = await SaveTwiceAsync();
        File.Delete(folder.File(2, SnapshotFormat.BlocksEnding));
        await CheckProblemAsync(folder, PileSnapshotProblem.Device, SnapshotFormat.BlocksEnding);
        File.Delete(folder.File(2, SnapshotFormat.ManifestEnding));
        using (var older = await folder.RestoreAsync())
            Assert.Equal(3, older.GetStatistics().Objects);
        File.Delete(folder.File(1, SnapshotFormat.ManifestEnding));
        var missing = await Assert.ThrowsAsync<PileSnapshotException>(() => folder.RestoreAsync());
        Assert.Equal(PileSnapshotProblem.Missing, missing.Problem);
        Assert.Null(missing.GoodGeneration);
    }

    private static async Task<SnapshotDirectory> SaveTwiceAsync()
    {
        var folder = new SnapshotDirectory();
        using var pile = Piles.Create(16 * Piles.MiB);
        pile.Put(Piles.Payload(1, 40));
        pile.Put(Piles.Payload(2, 300_000));
        pile.Put(new SnapshotTests.Node("graph", null));
        var table = new PileCache(pile).GetOrCreateTable<long, string>("table");
        for (var i = 0; i < 1000; i++)
            table.Put(i, $"entry {i}");
        CellTable.GetOrCreate(pile, "cells").Save(1, 1, "cell"u8);
        await pile.SaveAsync(folder.Path);
        pile.Put(Piles.Payload(3, 40));
        await pile.SaveAsync(folder.Path);
        return folder;
    }

    private static byte[] Changed(byte[] bytes, Action<byte[]> change)
    {
        var copy = (byte[])bytes.Clone();
        change(copy);
        return copy;
    }

    private static async Task CheckRefusedAsync(SnapshotDirectory folder, string path, byte[] damaged, long at)
    {
        await File.WriteAllBytesAsync(path, damaged);
        var failure = await Assert.ThrowsAsync<PileSnapshotException>(() => folder.RestoreAsync());
        Assert.True(
            failure.Problem is PileSnapshotProblem.Damaged or PileSnapshotProblem.Foreign or PileSnapshotProblem.Newer,
            failure.Message);
        Assert.Equal(path, failure.File);
        Assert.Contains(path, failure.Message, StringComparison.Ordinal);
        Assert.Equal(1, failure.GoodGeneration);

        // The place is that of the record, or of the end.
        if (failure.Problem == PileSnapshotProblem.Damaged && path.EndsWith(".blocks", StringComparison.Ordinal))
        {
            Assert.InRange(
                failure.Offset!.Value, Math.Max(0, at - BlockRecordBytes), at + SnapshotFormat.FileHeaderBytes);
        }

        using var older = await folder.RestoreAsync(generation: failure.GoodGeneration);
        Assert.Equal(3, older.GetStatistics().Objects);
        Assert.Equal([1000, 1], older.Records.All.Select(store => store.Count));
    }

    private static async Task CheckProblemAsync(SnapshotDirectory folder, PileSnapshotProblem problem, string ending)
    {
        var failure = await Assert.ThrowsAsync<PileSnapshotException>(() => folder.RestoreAsync());
        Assert.Equal((problem, folder.File(2, ending), 1), (failure.Problem, failure.File, failure.GoodGeneration));
    }
}
