using Cluster.Pile.Cells;

namespace Cluster.Pile.Tests.Cells;

public sealed class CellAccessorTests
{
    [Fact]
    public void Use_OfACell_ChangesItWhenItIsDisposed()
    {
        using var pile = Piles.Create();
        var table = Create(pile);
        using (var cell = table.Use(1))
        {
            Assert.Equal((1L, true, (ushort)7, 3), (cell.Id, cell.Exists, cell.Type, cell.Length));
            cell.Edit()[0] = (byte)'O';
            cell.SetType(9);
            Assert.Equal("One"u8, cell.Bytes);
        }

        Check(table, 1, 9, "One"u8);
        Assert.Equal(1, table.Count);
    }

    [Fact]
    public void Use_OfACell_IsSeenByOthersAllAtOnce()
    {
        using var pile = Piles.Create();
        var table = Create(pile);
        using (var cell = table.Use(1))
        {
            cell.Replace(8, "another"u8);
            OnAnotherThread(() => Check(table, 1, 7, "one"u8));
            Check(table, 1, 8, "another"u8);
        }

        OnAnotherThread(() => Check(table, 1, 8, "another"u8));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(300)]
    [InlineData(100_000)]
    public void Resize_ToAnyLength_KeepsBytesAndAddsZeros(int length)
    {
        using var pile = Piles.Create();
        var table = Create(pile);
        var expected = new byte[length];
        "one"u8[..Math.Min(3, length)].CopyTo(expected);
        using (var cell = table.Use(1))
        {
            // What lay behind the bytes before does not come back.
            cell.Resize(200_000);
            cell.Edit()[3..].Fill(1);
            cell.Resize(3);
            cell.Resize(length);
            Assert.Equal(expected, cell.Bytes);
        }

        Check(table, 1, 7, expected);
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(int.MaxValue)]
    public void Resize_ToAnImpossibleLength_ThrowsAndChangesNothing(int length)
    {
        using var pile = Piles.Create();
        var table = Create(pile);
        using (var cell = table.Use(1))
            Assert.Throws<ArgumentOutOfRangeException>(() => Resize(table, length));
        Check(table, 1, 7, "one"u8);
    }

    [Fact]
    public void Use_OfNoCell_MakesOneOnlyWhenAskedTo()
    {
        using var pile = Piles.Create();
        var table = Create(pile);
        using (var cell = table.Use(2))
            Assert.Equal((false, 0, (ushort)0), (cell.Exists, cell.Length, cell.Type));
        Assert.False(table.Contains(2));
        using (var cell = table.Use(2))
        {
            cell.SetType(5);
            cell.Resize(2);
            Assert.True(cell.Exists);
        }

        Check(table, 2, 5, "\0\0"u8);
    }

    [Fact]
    public void Remove_InUse_EndsTheCell()
    {
        using var pile = Piles.Create();
        var table = Create(pile);
        using (var cell = table.Use(1))
        {
            cell.Remove();
            Assert.False(cell.Exists);
            OnAnotherThread(() => Assert.True(table.Contains(1)));
        }

        Assert.False(table.Contains(1));
        Assert.Equal(0, table.Count);
    }

    [Fact]
    public void Discard_AfterChanges_LeavesTheCellAsItWas()
    {
        using var pile = Piles.Create();
        var table = Create(pile);
        using (var cell = table.Use(1))
        {
            cell.Replace(8, "another"u8);
            cell.Discard();
            Assert.Equal("one"u8, cell.Bytes);
            Assert.Equal(7, cell.Type);
        }

        Check(table, 1, 7, "one"u8);
        using (var cell = table.Use(2))
        {
            cell.Resize(1);
            cell.Discard();
            Assert.False(cell.Exists);
        }

        Assert.False(table.Contains(2));
    }

    [Fact]
    public void Use_ThatEndsWithAnException_GivesTheCellFreeWithWhatWasChangedBefore()
    {
        using var pile = Piles.Create();
        var table = Create(pile);
        Assert.Throws<InvalidTimeZoneException>(() => Fail(table));
        OnAnotherThread(() => table.Save(1, 7, [.. table.TryLoad(1, out var bytes, out _) ? bytes : [], 33]));
        Check(table, 1, 7, "One!"u8);
    }

    [Fact]
    public void Use_Again_OnTheSameThread_IsTheSameCell()
    {
        using var pile = Piles.Create();
        var table = Create(pile);
        using (var outer = table.Use(1))
        {
            using (var inner = table.Use(1))
                inner.Replace(8, "from within"u8);
            Assert.Equal("from within"u8, outer.Bytes);
            OnAnotherThread(() => Check(table, 1, 7, "one"u8));
            outer.SetType(9);
        }

        Check(table, 1, 9, "from within"u8);
    }

    [Fact]
    public void SaveAndRemove_OfTheCellInUse_AreWhatTheAccessorStores()
    {
        using var pile = Piles.Create();
        var table = Create(pile);
        using (var cell = table.Use(1))
        {
            table.Save(1, 2, "saved"u8);
            Assert.Equal("saved"u8, cell.Bytes);
            Assert.True(table.Remove(1));
            Assert.False(table.Remove(1));
            Assert.False(table.Contains(1));
            table.Save(1, 3, cell.Bytes);
            OnAnotherThread(() => Check(table, 1, 7, "one"u8));
        }

        Check(table, 1, 3, []);
    }

    [Fact]
    public void Use_OfASecondCell_ThrowsAtOnceAndNamesTheFirst()
    {
        using var pile = Piles.Create();
        var table = Create(pile);
        var other = CellTable.GetOrCreate(pile, "others");
        using (table.Use(1))
        {
            var error = Assert.Throws<PileBusyException>(() => table.Use(2).Dispose());
            Assert.Contains(nameof(CellAccessorTests), error.Message, StringComparison.Ordinal);
            Assert.Throws<PileBusyException>(() => table.UseMany([1, 2]).Dispose());
            other.Use(2).Dispose();
            table.Save(2, 1, "two"u8);
        }

        table.Use(2).Dispose();
    }

    [Fact]
    public void UseMany_OfCells_HoldsAllInTheGivenOrder()
    {
        using var pile = Piles.Create();
        var table = Create(pile);
        table.Save(5, 5, "five"u8);
        using (var cells = table.UseMany([5, 1, 5, -3]))
        {
            Assert.Equal(4, cells.Count);
            Assert.Equal("five"u8, cells[0].Bytes);
            Assert.Equal("one"u8, cells[1].Bytes);
            cells[0].Edit()[0] = (byte)'F';
            Assert.Equal("Five"u8, cells[2].Bytes);
            cells[3].Replace(3, "new"u8);
            using (var borrowed = cells[1])
                borrowed.Edit()[0] = (byte)'O';
            Assert.Equal("One"u8, cells[1].Bytes);
            using (table.Use(5))
                Assert.Throws<PileBusyException>(() => table.Use(6).Dispose());
        }

        Check(table, 1, 7, "One"u8);
        Check(table, 5, 5, "Five"u8);
        Check(table, -3, 3, "new"u8);
        table.Use(6).Dispose();
    }

    [Fact]
    public void UseMany_OfNothing_HoldsNothing()
    {
        using var pile = Piles.Create();
        var table = Create(pile);
        using var cells = table.UseMany([]);
        Assert.Equal(0, cells.Count);
        Assert.Equal(0, default(CellAccessors).Count);
        table.Use(1).Dispose();
        default(CellAccessors).Dispose();
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(1)]
    public void UseMany_AtAPlaceThatIsNone_Throws(int index)
    {
        using var pile = Piles.Create();
        var table = Create(pile);
        Assert.Throws<ArgumentOutOfRangeException>(() =>
        {
            using var cells = table.UseMany([1]);
            _ = cells[index].Length;
        });
    }

    [Fact]
    public void Accessor_Disposed_RefusesEverything()
    {
        using var pile = Piles.Create();
        var table = Create(pile);
        Assert.Throws<ObjectDisposedException>(() => Disposed(table).Bytes.Length);
        Assert.Throws<ObjectDisposedException>(() => Disposed(table).Edit().Length);
        Assert.Throws<ObjectDisposedException>(() => Disposed(table).Resize(1));
        Assert.Throws<ObjectDisposedException>(() => Disposed(table).Replace(1, "x"u8));
        Assert.Throws<ObjectDisposedException>(() => Disposed(table).SetType(1));
        Assert.Throws<ObjectDisposedException>(() => Disposed(table).Remove());
        Assert.Throws<ObjectDisposedException>(() => Disposed(table).Discard());
        Assert.Throws<ObjectDisposedException>(() => default(CellAccessor).Id);
        Check(table, 1, 7, "one"u8);
    }

    [Fact]
    public void Dispose_OfACopyOrTwice_DoesNothing()
    {
        using var pile = Piles.Create();
        var table = Create(pile);
        var first = table.Use(1);
        var copy = first;
        using var second = table.Use(1);
        first.Dispose();
        copy.Dispose();
        first.Dispose();
        default(CellAccessor).Dispose();
        second.Edit()[0] = (byte)'O';
        OnAnotherThread(() => Check(table, 1, 7, "one"u8));
    }

    [Fact]
    public void Dispose_BeyondTheBudget_ThrowsAndLeavesTheCellAsItWasAndFree()
    {
        using var pile = Piles.Create(8 * Piles.MiB);
        var table = Create(pile);
        Assert.Throws<PileFullException>(() =>
        {
            using var cell = table.Use(1);
            cell.Resize(16 << 20);
        });
        Check(table, 1, 7, "one"u8);
        Assert.Throws<PileFullException>(() =>
        {
            using var cells = table.UseMany([1, 2, 3]);
            cells[0].Edit()[0] = (byte)'O';
            cells[1].Resize(16 << 20);
            cells[2].Resize(1);
        });
        OnAnotherThread(() =>
        {
            table.Use(2).Dispose();
            table.Save(1, 7, [.. table.TryLoad(1, out var bytes, out _) ? bytes : [], 33]);
        });
        Check(table, 1, 7, "One!"u8);
        Check(table, 3, 0, "\0"u8);
        Assert.False(table.Contains(2));
    }

    [Fact]
    public void Purge_UnderAnAccessor_EndsItsCellForGood()
    {
        using var pile = Piles.Create();
        var table = Create(pile);
        using (var cell = table.Use(1))
        {
            pile.Purge();
            cell.Edit()[0] = (byte)'O';
        }

        Assert.False(table.Contains(1));
        Assert.Equal(0, table.Count);
        table.Save(1, 1, "one"u8);
        Check(table, 1, 1, "one"u8);
    }

    private static CellTable Create(LocalPile pile)
    {
        var table = CellTable.GetOrCreate(pile, "cells");
        table.Save(1, 7, "one"u8);
        return table;
    }

    private static void Resize(CellTable table, int length)
    {
        using var cell = table.Use(1);
        cell.Resize(length);
    }

    private static CellAccessor Disposed(CellTable table)
    {
        var cell = table.Use(1);
        cell.Dispose();
        return cell;
    }

    private static void Fail(CellTable table)
    {
        using var cell = table.Use(1);
        cell.Edit()[0] = (byte)'O';
        throw new InvalidTimeZoneException();
    }

    private static void OnAnotherThread(Action work)
    {
        Exception? failure = null;
        var thread = new Thread(() => failure = Record.Exception(work));
        thread.Start();
        Assert.True(thread.Join(TimeSpan.FromMinutes(1)), "The other thread hangs.");
        Assert.Null(failure);
    }

    private static void Check(CellTable table, long id, ushort type, ReadOnlySpan<byte> bytes)
    {
        Assert.True(table.TryLoad(id, out var loaded, out var found));
        Assert.Equal(bytes, loaded);
        Assert.Equal(type, found);
    }
}
