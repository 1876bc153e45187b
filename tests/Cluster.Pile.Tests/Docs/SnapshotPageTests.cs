using System.Collections.Concurrent;
using Cluster.Pile.Persistence;
using Cluster.Pile.Tests.Persistence;

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
