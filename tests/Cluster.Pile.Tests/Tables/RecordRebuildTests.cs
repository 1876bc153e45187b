using Cluster.Pile.Tables;
using Cluster.Pile.Tables.Log;
using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Tests.Tables;

/// <summary>Tables that are rebuilt from blocks alone.</summary>
public sealed class RecordRebuildTests
{
    private readonly List<string> _damaged = [];

    [Fact]
    public void Restore_FromTheBlocksAlone_FindsEveryRecord()
    {
        using var pile = Records.CreatePile(128 * Piles.MiB);
        var store = pile.Records.Create();
        var random = new Random(9);
        var model = new Dictionary<long, int>();
        for (var operation = 0; operation < 60_000; operation++)
        {
            long id = random.Next(20_000);
            if (random.Next(4) == 0)
            {
                Records.Remove(store, id);
                model.Remove(id);
                continue;
            }

            model[id] = random.Next(400);
            Records.Put(store, id, Piles.Payload((ulong)(id * 1000) + (ulong)model[id], model[id]));
        }

        using var copy = Restored.CopyOf(pile, _damaged);
        var restored = Assert.Single(copy.Records.All);
        Assert.Empty(_damaged);
        Assert.Equal(model.Count, restored.Count);
        foreach (var (id, length) in model)
            Records.CheckValue(restored, id, Piles.Payload((ulong)(id * 1000) + (ulong)length, length));
        RecordValidator.Check(copy, restored);
        Assert.Equal(RecordStatus.Inserted, Records.Put(restored, -1, "new"u8));
    }

    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, 1)]
    public void Restore_OfASegmentInTheMaking_DependsOnWhatMayBe(bool mayBeHalfMade, int damaged)
    {
        using var pile = Records.CreatePile();
        Records.Put(pile.Records.Create(), 1, "one"u8);
        var segment = Assert.Single(pile.Records.All[0].Log.Snapshot());
        pile.Window.WriteWord(segment.Offset + SegmentHeader.MagicAt, SegmentHeader.Unmade);
        using var copy = Restored.CopyOf(pile, _damaged, mayBeHalfMade: mayBeHalfMade);
        Assert.Equal(damaged, _damaged.Count);
        Assert.Equal(0, copy.Records.All[0].Count);
        Assert.Empty(copy.Records.All[0].Log.Snapshot());
    }

    [Theory]
    [InlineData(SegmentHeader.MagicAt, 1UL, "begin")]
    [InlineData(SegmentHeader.MagicAt, 0UL, "begin")]
    [InlineData(SegmentHeader.Bytes, 8UL, "no state")]
    [InlineData(SegmentHeader.TableAt, 7UL, "table 7")]
    [InlineData(SegmentHeader.TableAt, 60UL << SegmentHeader.LevelShift, "window")]
    [InlineData(SegmentHeader.CursorAt, 8UL, "cursor")]
    [InlineData(SegmentHeader.CursorAt, 1UL << 40, "cursor")]
    [InlineData(SegmentHeader.Bytes, 7UL, "no state")]
    [InlineData(SegmentHeader.Bytes, 1UL | (7UL << RecordHeader.KindShift), "no kind")]
    [InlineData(SegmentHeader.Bytes, 1UL | (4UL << RecordHeader.KindShift), "pointer")]
    [InlineData(SegmentHeader.Bytes, 1UL | (1UL << 60), "behind")]
    public void Restore_OfASegmentThatMakesNoSense_TellsTheBlock(int at, ulong word, string problem)
    {
        using var pile = Records.CreatePile();
        Records.Put(pile.Records.Create(), 1, "one"u8);
        var segment = Assert.Single(pile.Records.All[0].Log.Snapshot());
        pile.Window.WriteWord(segment.Offset + at, word);
        using var copy = Restored.CopyOf(pile, _damaged);
        var found = Assert.Single(_damaged);
        Assert.StartsWith($"{segment.Head}:", found, StringComparison.Ordinal);
        Assert.Contains(problem, found, StringComparison.Ordinal);
        Assert.Equal(0, copy.Records.All[0].Count);
        RecordValidator.Check(copy, copy.Records.All[0]);
    }

    [Fact]
    public void Restore_OfAnEntryWithoutItsObject_DropsTheEntry()
    {
        using var pile = Records.CreatePile();
        var store = pile.Records.Create();
        var (there, gone) = (pile.Put("there"), pile.Put("gone"));
        Records.PutPointer(store, 1, there);
        Records.PutPointer(store, 2, gone);
        Assert.True(pile.Delete(gone));
        using var copy = Restored.CopyOf(pile, _damaged);
        Assert.Equal(RecordStatus.Missing, Records.Get(copy.Records.All[0], 2, out _));
        Assert.Equal(RecordStatus.Found, Records.Get(copy.Records.All[0], 1, out _));
        Assert.Equal(1, copy.Records.All[0].Count);

        // The entry owns its object, as before.
        Records.Remove(copy.Records.All[0], 1);
        Assert.False(copy.IsLive(there));
    }

    [Fact]
    public void Restore_OfARecordPastItsDeadline_DropsItWithItsObject()
    {
        using var pile = Records.CreatePile();
        var store = pile.Records.Create();
        var owned = pile.Put("owned");
        Put(store, 1, owned, pile.Records.All[0].Clock.Now - 1);
        using var copy = Restored.CopyOf(pile, _damaged);
        Assert.Equal(0, copy.Records.All[0].Count);
        Assert.False(copy.IsLive(owned));
        Assert.Equal(0, copy.GetStatistics().Objects);
    }

    [Fact]
    public void Restore_WithoutRoomForTheIndex_GivesUpWhatMayBeForgotten_TheLeastImportantFirst()
    {
        using var pile = Records.CreatePile(16 * Piles.MiB);
        var cache = pile.Records.Create(new RecordTableOptions { Name = "cache", MayForget = true });
        var cells = pile.Records.Create(new RecordTableOptions { Name = "cells" });
        for (long id = 0; id < 20_000; id++)
            Assert.Equal(RecordStatus.Inserted, Records.Put(cells, id, BitConverter.GetBytes(id)));
        for (long id = 0; id < 5_000; id++)
            Put(cache, id, priority: (byte)(id % 2));
        using var copy = Restored.CopyOf(pile, _damaged, TakeAllBlocks);
        Assert.Equal(20_000, copy.Records.All[1].Count);
        RecordValidator.Check(copy, copy.Records.All[0]);
        RecordValidator.Check(copy, copy.Records.All[1]);
        var left = copy.Records.All[0].Log.Snapshot();
        Assert.True(left.Length < cache.Log.Snapshot().Length);
        Assert.True(
            left.Length == 0 || left.Count(segment => segment.Class.Priority == 1)
                >= cache.Log.Snapshot().Count(segment => segment.Class.Priority == 1)
            || left.All(segment => segment.Class.Priority == 1));
    }

    [Fact]
    public void Restore_WithoutRoomForANonEvictingTable_SaysHowMuchIsMissing()
    {
        using var pile = Records.CreatePile(16 * Piles.MiB);
        var cells = pile.Records.Create();
        for (long id = 0; id < 20_000; id++)
            Assert.Equal(RecordStatus.Inserted, Records.Put(cells, id, BitConverter.GetBytes(id)));
        var full = Assert.Throws<PileFullException>(() => Restored.CopyOf(pile, _damaged, TakeAllBlocks));
        Assert.Equal(16 * Piles.MiB, full.BudgetBytes);
        Assert.True(full.NeededBytes > 0);
    }

    private static void TakeAllBlocks(LocalPile pile)
    {
        while (pile.Context.Arena.TryTakeForBuffer(1, out _) != 0)
        {
            // Until there is none left.
        }
    }

    private static void Put(RecordStore store, long id, PilePointer owned, uint deadline) =>
        store.Put(
            RecordKey.Of(store.Hash, in id),
            new RecordForm { Kind = RecordKind.Pointer, IsTimed = true, Deadline = deadline },
            BitConverter.GetBytes(owned.ToUInt64()));

    private static void Put(RecordStore store, long id, byte priority) =>
        store.Put(RecordKey.Of(store.Hash, in id), new RecordForm { Priority = priority }, new byte[600]);
}
