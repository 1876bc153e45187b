using Cluster.Pile.Cells;

namespace Cluster.Pile.Tests.Cells;

public sealed class CellTableTests
{
    [Fact]
    public void Save_OfNewAndKnownIds_IsLoaded()
    {
        using var pile = Piles.Create();
        var table = CellTable.GetOrCreate(pile, "cells");
        table.Save(1, 7, "one"u8);
        table.Save(-1, ushort.MaxValue, "minus one"u8);
        Check(table, 1, 7, "one"u8);
        Check(table, -1, ushort.MaxValue, "minus one"u8);
        table.Save(1, 8, "a longer one, which may not fit where the old one was"u8);
        Check(table, 1, 8, "a longer one, which may not fit where the old one was"u8);
        Assert.Equal(2, table.Count);
        Assert.False(table.TryLoad(2, out _, out var type));
        Assert.Equal(0, type);
        Assert.False(table.TryLoad(2, new byte[8], out var length, out _));
        Assert.Equal(0, length);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(314)]
    [InlineData(509)]
    [InlineData(510)]
    [InlineData(511)]
    [InlineData(70_000)]
    [InlineData(3_000_000)]
    public void Save_OfAnyLength_IsLoadedAndUsed(int length)
    {
        using var pile = Piles.Create();
        var table = CellTable.GetOrCreate(pile, "cells");
        var bytes = Piles.Payload((ulong)length, length);
        table.Save(long.MinValue, 3, bytes);
        Check(table, long.MinValue, 3, bytes);
        using var cell = table.Use(long.MinValue);
        Assert.Equal(bytes, cell.Bytes);
        Assert.Equal(3, cell.Type);
    }

    [Fact]
    public void TryLoad_IntoTooSmallADestination_SaysWhatIsNeeded()
    {
        using var pile = Piles.Create();
        var table = CellTable.GetOrCreate(pile, "cells");
        table.Save(1, 1, new byte[600]);
        var destination = Piles.Payload(1, 599);
        var error = Assert.Throws<ArgumentException>(() => table.TryLoad(1, destination, out _, out _));
        Assert.Contains("600", error.Message, StringComparison.Ordinal);
        Assert.Equal(Piles.Payload(1, 599), destination);
    }

    [Fact]
    public void Remove_OfAKnownId_IsTrueOnce()
    {
        using var pile = Piles.Create();
        var table = CellTable.GetOrCreate(pile, "cells");
        table.Save(1, 1, "one"u8);
        Assert.True(table.Contains(1));
        Assert.True(table.Remove(1));
        Assert.False(table.Remove(1));
        Assert.False(table.Contains(1));
        Assert.Equal(0, table.Count);
    }

    [Fact]
    public void EnumerateIds_OfManyCells_MeetsEachOnce()
    {
        using var pile = Piles.Create();
        var table = CellTable.GetOrCreate(pile, "cells");
        for (var id = 0; id < 10_000; id++)
            table.Save(id * 7, 1, BitConverter.GetBytes(id));
        for (var id = 0; id < 10_000; id += 3)
            table.Remove(id * 7);
        long[] expected = [.. Enumerable.Range(0, 10_000).Where(id => id % 3 != 0).Select(id => id * 7L)];
        Assert.Equal(expected, table.EnumerateIds().Order());
    }

    [Fact]
    public void GetOrCreate_OfTheSameName_IsTheSameTable()
    {
        using var pile = Piles.Create();
        var table = CellTable.GetOrCreate(pile, "cells");
        var other = CellTable.GetOrCreate(pile, "others");
        Assert.Same(table, CellTable.GetOrCreate(pile, "cells"));
        table.Save(1, 1, "one"u8);
        Assert.False(other.Contains(1));
        Assert.Equal("cells", table.Name);
        Assert.Throws<ArgumentException>(() => CellTable.GetOrCreate(pile, " "));
        Assert.Throws<ArgumentNullException>(() => CellTable.GetOrCreate(null!, "cells"));
    }

    [Fact]
    public void Save_BeyondTheBudget_ThrowsAndKeepsEveryCell()
    {
        using var pile = Piles.Create(8 * Piles.MiB);
        var table = CellTable.GetOrCreate(pile, "cells");
        var saved = 0;
        var full = Assert.Throws<PileFullException>(() =>
        {
            for (; saved < 100_000; saved++)
                table.Save(saved, 1, Piles.Payload((ulong)saved, 314));
        });
        Assert.Equal(8 * Piles.MiB, full.BudgetBytes);
        Assert.InRange(full.NeededBytes, 314, 400);
        Assert.Equal(saved, table.Count);
        Assert.False(table.Contains(saved));
        Assert.Throws<PileFullException>(() => table.Save(5, 2, new byte[1 << 20]));
        for (var id = 0; id < saved; id++)
            Check(table, id, 1, Piles.Payload((ulong)id, 314));
        table.Save(5, 2, Piles.Payload(0, 314));
        Check(table, 5, 2, Piles.Payload(0, 314));
    }

    [Fact]
    public void SaveLoadUseRemove_OfKnownCells_AllocateNothing()
    {
        using var pile = Piles.Create();
        var table = CellTable.GetOrCreate(pile, "cells");
        var bytes = Piles.Payload(1, 314);
        table.Save(1, 1, bytes);
        Assert.Equal(0, Piles.AllocatedBytes(() =>
        {
            table.Save(1, 1, bytes);
            table.TryLoad(1, bytes, out _, out _);
            using (var cell = table.Use(1))
                cell.Edit()[0]++;
            table.Save(2, 1, bytes);
            table.Remove(2);
        }));
    }

    [Fact]
    public void Table_OfADisposedPile_SaysSo()
    {
        var pile = Piles.Create();
        var table = CellTable.GetOrCreate(pile, "cells");
        table.Save(1, 1, "one"u8);
        pile.Dispose();
        Assert.Throws<ObjectDisposedException>(() => table.Save(1, 1, "one"u8));
        Assert.Throws<ObjectDisposedException>(() => table.TryLoad(1, out _, out _));
        Assert.Throws<ObjectDisposedException>(() => table.Contains(1));
        Assert.Throws<ObjectDisposedException>(() => table.Remove(1));
        Assert.Throws<ObjectDisposedException>(() => table.Use(1).Dispose());
        Assert.Throws<ObjectDisposedException>(() => table.Count);
        Assert.Throws<ObjectDisposedException>(() => table.ReservedBytes);
        Assert.Throws<ObjectDisposedException>(() => table.EnumerateIds().ToArray());
        Assert.Throws<ObjectDisposedException>(() => CellTable.GetOrCreate(pile, "cells"));
    }

    [Fact]
    public void ReservedBytes_GrowWithTheCells()
    {
        using var pile = Piles.Create();
        var table = CellTable.GetOrCreate(pile, "cells");
        var empty = table.ReservedBytes;
        for (var id = 0; id < 10_000; id++)
            table.Save(id, 1, new byte[314]);
        Assert.InRange(table.ReservedBytes, empty + (10_000 * 314), empty + (10_000 * 400) + Piles.MiB);
    }

    private static void Check(CellTable table, long id, ushort type, ReadOnlySpan<byte> bytes)
    {
        var expected = bytes.ToArray();
        Assert.True(table.TryLoad(id, out var loaded, out var found));
        Assert.Equal(expected, loaded);
        Assert.Equal(type, found);
        var destination = new byte[bytes.Length + 3];
        Assert.True(table.TryLoad(id, destination, out var length, out found));
        Assert.Equal(expected, destination[..length]);
        Assert.Equal(type, found);
    }
}
