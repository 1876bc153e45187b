using Cluster.Pile.Barriers;
using Cluster.Pile.Layout;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>Blocks that are copied before anybody changes them: only while changes keep their room in the
/// log.</summary>
[Trait("Case", "pile-31")]
public sealed class SnapshotPointTests
{
    [Fact]
    public void Block_CopiedAhead_IsKeptOnce_AndChangesNeedNotCopyIt()
    {
        using var pile = Filled(out var blocks);
        var log = LogOf(pile, 8 * BlockLayout.BlockBytes);
        var cut = new SnapshotPoint(pile.Context.Table, log, pile.Context.Arena.Frontier);
        var copied = 0;
        Assert.True(cut.TryKeepAhead(blocks[0], ref copied));
        Assert.True(cut.TryKeepAhead(blocks[0], ref copied));
        Assert.Equal((1, 1L), (copied, log.TakenBlocks));
        cut.Keep(blocks[0]);
        Assert.Equal((1L, 0L), (log.TakenBlocks, cut.KeptByChanges));
        Assert.False(cut.TryClaim(blocks[0], out _));
        log.Close();
        PileValidator.Check(pile);
    }

    [Fact]
    public void HalfOfTheLog_IsLeftToChanges_WhichFindTheBlockNotKept()
    {
        using var pile = Filled(out var blocks);
        var log = LogOf(pile, 2 * BlockLayout.BlockBytes);
        var cut = new SnapshotPoint(pile.Context.Table, log, pile.Context.Arena.Frontier);
        var copied = 0;
        Assert.True(cut.TryKeepAhead(blocks[0], ref copied));
        Assert.False(cut.TryKeepAhead(blocks[1], ref copied));
        Assert.Equal(1, copied);
        cut.Keep(blocks[1]);
        Assert.Equal((2L, 1L), (log.TakenBlocks, cut.KeptByChanges));
        Assert.Null(cut.GivenUp);
        log.Close();
        PileValidator.Check(pile);
    }

    [Fact]
    public void PileThatIsNearlyFull_GivesNoMemoryForCopiesAhead()
    {
        using var pile = Filled(out var blocks);
        var log = LogOf(pile, pile.GetStatistics().BudgetBytes);
        var cut = new SnapshotPoint(pile.Context.Table, log, pile.Context.Arena.Frontier);
        var copied = 0;
        Assert.False(cut.TryKeepAhead(blocks[0], ref copied));
        Assert.Equal((0, 0L), (copied, log.TakenBlocks));
    }

    private static PreImageLog LogOf(LocalPile pile, long bytesMax) =>
        new(pile.Context.Window, pile.Context.Layout, pile.Context.Arena, bytesMax);

    private static LocalPile Filled(out List<long> blocks)
    {
        var pile = Piles.Create(16 * Piles.MiB);
        for (var i = 0; i < 200; i++)
            pile.Put(Piles.Payload((ulong)i, 1000));
        var table = pile.Context.Table;
        blocks = [];
        for (long block = 1; block <= pile.Context.Arena.Frontier; block++)
        {
            if (table.Entry(block).State == SlabState.Slots)
                blocks.Add(block);
        }

        Assert.True(blocks.Count >= 2);
        return pile;
    }
}
