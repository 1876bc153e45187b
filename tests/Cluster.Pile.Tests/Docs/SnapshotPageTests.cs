using Cluster.Pile.Caching;
using Cluster.Pile.Cells;
using Cluster.Pile.Snapshots;
using Cluster.Pile.Tests.Snapshots;

namespace Cluster.Pile.Tests.Docs;

/// <summary>Runs what the page about snapshots shows.</summary>
public sealed class SnapshotPageTests
{
    [Fact]
    public async Task Save_AsPrinted_IsRestored()
    {
        using var test = new SnapshotDirectory();
        var folder = test.Path;

        // <snippet:save>
        ulong kept;
        using (var pile = new LocalPile(new PileOptions { BudgetBytes = 64L << 20 }))
        {
            kept = pile.Put("what the snapshot has").ToUInt64();
            await pile.SaveAsync(folder);
            pile.Put("what came later");
        }

        // In the next process, or later in the same:
        var options = new PileOptions { BudgetBytes = 64L << 20 };
        using var restored = await LocalPile.RestoreAsync(folder, options);
        Assert.Equal("what the snapshot has", restored.Get<string>(PilePointer.FromUInt64(kept)));
        // </snippet:save>
        Assert.Equal(1, restored.GetStatistics().Objects);
    }

    [Fact]
    public async Task Tables_AsPrinted_AreThere()
    {
        using var test = new SnapshotDirectory();
        var folder = test.Path;
        var options = new PileOptions { BudgetBytes = 64L << 20 };

        // <snippet:tables>
        using (var pile = new LocalPile(options))
        {
            var people = new PileCache(pile).GetOrCreateTable<long, string>("people");
            people.Put(1, "Ada", maxAge: TimeSpan.FromDays(1));
            CellTable.GetOrCreate(pile, "graph").Save(42, type: 1, "a cell"u8);
            await pile.SaveAsync(folder);
        }

        using var restored = await LocalPile.RestoreAsync(folder, options);
        var isThere = new PileCache(restored).GetOrCreateTable<long, string>("people").TryGet(1, out var name);
        var isCell = CellTable.GetOrCreate(restored, "graph").TryLoad(42, out var cell, out var type);
        // </snippet:tables>
        Assert.True(isThere && isCell);
        Assert.Equal(("Ada", 1), (name, type));
        Assert.Equal("a cell"u8, cell!);
    }

    [Fact]
    public void Every_AsPrinted_Begins()
    {
        using var test = new SnapshotDirectory();
        var folder = test.Path;
        using var pile = Piles.Create();
        var failures = new ConcurrentBag<Exception>();

        // <snippet:every>
        using var saving = pile.SaveEvery(folder, TimeSpan.FromMinutes(5), failure => failures.Add(failure));
        // </snippet:every>
        Assert.Empty(failures);
    }

    [Fact]
    public async Task Damaged_AsPrinted_TakesTheOlderOne()
    {
        using var test = new SnapshotDirectory();
        var folder = test.Path;
        var options = SnapshotDirectory.Options();
        using (var first = Piles.Create())
        {
            first.Put("in both");
            await first.SaveAsync(folder);
            first.Put("in the newer one");
            await first.SaveAsync(folder);
        }

        File.WriteAllText(test.File(2, SnapshotFormat.BlocksEnding), "damage");

        // <snippet:damaged>
        LocalPile pile;
        try
        {
            pile = await LocalPile.RestoreAsync(folder, options);
        }
        catch (PileSnapshotException damage) when (damage.GoodGeneration is not null)
        {
            pile = await LocalPile.RestoreAsync(folder, options, damage.GoodGeneration);
        }
        // </snippet:damaged>

        using (pile)
            Assert.Equal(1, pile.GetStatistics().Objects);
    }
}
