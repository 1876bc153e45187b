using Cluster.Pile.Cells;

namespace Cluster.Pile.Tests.Docs;

/// <summary>Runs what the page about cells shows.</summary>
public sealed class CellsPageTests
{
    private const ushort Author = 1;
    private const ushort Counter = 2;

    [Fact]
    public void QuickStart_AsPrinted_SavesAndLoads()
    {
        var bytes = Piles.Payload(1, 314);

        // <snippet:quick>
        using var pile = new LocalPile(new PileOptions { BudgetBytes = 64L << 20 });
        var cells = CellTable.GetOrCreate(pile, "authors");

        cells.Save(42, Author, bytes);                          // new, or in place of the one before
        Span<byte> buffer = stackalloc byte[512];
        if (cells.TryLoad(42, buffer, out var length, out var type))
            buffer = buffer[..length];                          // a copy; no lock, no allocation

        var removed = cells.Remove(42);                        // true once
        // </snippet:quick>
        Assert.Equal(bytes, buffer);
        Assert.Equal(Author, type);
        Assert.True(removed);
    }

    [Fact]
    public void Use_AsPrinted_ChangesTheCell()
    {
        using var pile = Piles.Create();
        var cells = CellTable.GetOrCreate(pile, "counters");

        // <snippet:use>
        using (var cell = cells.Use(42))                        // nobody else changes it now
        {
            if (!cell.Exists)
                cell.Replace(Counter, new byte[sizeof(int)]);   // made when the accessor is disposed
            cell.Edit()[0]++;
            cell.Resize(cell.Length + 4);                       // zeros behind what there is
        }                                                       // stored here, in one step
        // </snippet:use>
        Assert.True(cells.TryLoad(42, out var bytes, out var type));
        Assert.Equal([1, 0, 0, 0, 0, 0, 0, 0], bytes);
        Assert.Equal(Counter, type);
    }

    [Fact]
    public void UseMany_AsPrinted_MovesAnAmount()
    {
        using var pile = Piles.Create();
        var cells = CellTable.GetOrCreate(pile, "accounts");
        cells.Save(7, Counter, [10]);
        cells.Save(3, Counter, [10]);

        // <snippet:many>
        using (var both = cells.UseMany([7, 3]))                // taken in the order of ids, given in yours
        {
            both[0].Edit()[0]--;
            both[1].Edit()[0]++;
        }
        // </snippet:many>
        Assert.True(cells.TryLoad(7, out var seven, out _));
        Assert.True(cells.TryLoad(3, out var three, out _));
        Assert.Equal([9, 11], [.. seven, .. three]);
    }
}
