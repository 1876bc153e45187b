using Cluster.Pile.Cells;
using Cluster.Pile.Files;
using Cluster.Pile.Tables;
using Cluster.Pile.Tables.Log;

namespace Cluster.Pile.Tests.Mapped;

/// <summary>Acceptance case 29 for the tables of a mapped folder: a damaged catalog or segment is refused with its
/// place, or the rest is there.</summary>
[Trait("Case", "pile-29")]
public sealed class MappedTableDamageTests
{
    private const long Budget = 6 * Piles.MiB;
    private const int Cells = 400;
    private const int PageBytes = 4096;

    [Fact]
    public void Catalog_WithAnyBitFlipped_IsRefused_WithTheFile()
    {
        using var folder = Filled(out _);
        var path = Path.Join(folder.FullName, "catalog");
        var bytes = File.ReadAllBytes(path);
        for (var at = 0; at < bytes.Length; at++)
        {
            bytes[at] ^= (byte)(1 << (at % 8));
            File.WriteAllBytes(path, bytes);
            CheckRefused(folder, path);
            bytes[at] ^= (byte)(1 << (at % 8));
        }

        File.WriteAllBytes(path, bytes);
        CheckCells(folder, _ => true);
    }

    [Fact]
    public void Catalog_CutOrLongerOrGone_IsRefused_WithTheFile()
    {
        using var folder = Filled(out _);
        var path = Path.Join(folder.FullName, "catalog");
        var bytes = File.ReadAllBytes(path);
        foreach (var length in (int[])[bytes.Length - 1, bytes.Length / 2, 20, 12, 4, 0])
        {
            File.WriteAllBytes(path, bytes[..length]);
            CheckRefused(folder, path);
        }

        File.WriteAllBytes(path, [.. bytes, 0]);
        CheckRefused(folder, path);
        File.Delete(path);
        CheckRefused(folder, path);
        File.WriteAllBytes(path, bytes);
        CheckCells(folder, _ => true);
    }

    /// <summary>Somebody put the catalog of another time in its place.</summary>
    [Fact]
    public void Catalog_ThatDoesNotKnowTheTables_IsRefused()
    {
        using var folder = Filled(out _);
        var path = Path.Join(folder.FullName, "catalog");
        var bytes = File.ReadAllBytes(path);
        CatalogFile.Create(path);
        CheckRefused(folder, path);
        File.WriteAllBytes(path, bytes);
        var description = RecordCatalog.Decode(new CatalogFile(path).Description);
        new CatalogFile(path).Keep((description with { Tables = [] }).Encode());
        var failure = Assert.Throws<PileFolderException>(() => folder.Attach(Budget));
        Assert.Contains("table 0, which is not there", failure.Message, StringComparison.Ordinal);
        Assert.Contains("block", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Catalog_OfANewerVersion_IsRefusedAsSuch()
    {
        using var folder = Filled(out _);
        var path = Path.Join(folder.FullName, "catalog");
        var bytes = File.ReadAllBytes(path);
        bytes[8] = 9;
        File.WriteAllBytes(path, bytes);
        var failure = Assert.Throws<PileFolderException>(() => folder.Attach(Budget));
        Assert.Contains("version 9", failure.Message, StringComparison.Ordinal);
    }

    /// <summary>A length that was changed hides the records after it where it happens to lead to another record; mostly
    /// it does not.</summary>
    [Fact]
    public void Headers_OfSegmentsAndRecords_Flipped_AreRefusedWithTheBlock_OrTheRestIsThere()
    {
        using var folder = Filled(out var places);
        var random = new Random(5);
        var refused = 0;
        for (var trial = 0; trial < 120; trial++)
        {
            using var copy = folder.CopyAsIfKilled();
            var (segment, record) = places[random.Next(places.Count)];
            var isRecord = trial % 4 != 0;
            Flip(copy.Blocks, isRecord ? record + random.Next(8) : segment + random.Next(40), random.Next(8));
            refused += CheckCellsOrBlock(copy, IsAway) ? 0 : 1;

            bool IsAway(int id) => places[id].Segment != segment || (isRecord && places[id].Record < record);
        }

        Assert.InRange(refused, 40, 119);
    }

    [Fact]
    public void ZeroPage_InASegment_IsRefusedWithTheBlock_OrTheRestIsThere()
    {
        using var folder = Filled(out var places);
        var first = places.Min(place => place.Segment) / PageBytes * PageBytes;
        for (var page = first; page < first + (30 * PageBytes); page += PageBytes)
        {
            using var copy = folder.CopyAsIfKilled();
            using (var file = File.OpenWrite(copy.Blocks))
            {
                file.Position = page;
                file.Write(new byte[PageBytes]);
            }

            CheckCellsOrBlock(copy, id => Math.Abs(places[id].Record - page - (PageBytes / 2)) > PageBytes);
        }
    }

    private static void CheckRefused(TestFolder folder, string path)
    {
        var failure = Assert.Throws<PileFolderException>(() => folder.Attach(Budget));
        Assert.True(failure.Message.Contains(path, StringComparison.Ordinal), failure.Message);
    }

    private static bool CheckCellsOrBlock(TestFolder folder, Func<int, bool> isThere)
    {
        try
        {
            CheckCells(folder, isThere);
            return true;
        }
        catch (PileFolderException e)
        {
            Assert.Contains("block", e.Message, StringComparison.Ordinal);
            return false;
        }
    }

    private static void CheckCells(TestFolder folder, Func<int, bool> isThere)
    {
        using var pile = folder.Attach(Budget);
        var cells = CellTable.GetOrCreate(pile, "cells");
        for (var id = 0; id < Cells; id++)
        {
            if (!isThere(id))
                continue;
            Assert.True(cells.TryLoad(id, out var bytes, out _), $"Cell {id} is lost.");
            Assert.True(Piles.IsPayload(bytes, (ulong)id), $"Cell {id} is torn.");
        }
    }

    private static void Flip(string path, long at, int bit)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.ReadWrite);
        file.Position = at;
        var found = file.ReadByte();
        file.Position = at;
        file.WriteByte((byte)(found ^ (1 << bit)));
    }

    // Left by a death; with the places of the cells in the file of the blocks.
    private static TestFolder Filled(out List<(long Segment, long Record)> places)
    {
        using var folder = new TestFolder();
        using var pile = folder.Attach(Budget);
        var cells = CellTable.GetOrCreate(pile, "cells");
        for (var id = 0; id < Cells; id++)
            cells.Save(id, 1, Piles.Payload((ulong)id, 20 + (id * 37 % 700)));
        places = [.. Enumerable.Repeat(default((long, long)), Cells)];
        var space = pile.Records.Space;
        foreach (var segment in pile.Records.All[0].Log.Snapshot())
        {
            for (var at = segment.Offset + SegmentHeader.Bytes; at < space.EndOf(segment);)
            {
                var header = space.Header(at);
                var id = (int)BitConverter.ToInt64(space.Key(at, header));
                places[id] = (segment.Offset - space.BlockOffset(1), at - space.BlockOffset(1));
                at += header.Extent;
            }
        }

        return folder.CopyAsIfKilled();
    }
}
