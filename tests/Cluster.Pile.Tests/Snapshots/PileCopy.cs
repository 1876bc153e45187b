using Cluster.Pile.Context;
using Cluster.Pile.Layout;
using Cluster.Pile.Rebuild;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>A second pile with the blocks of a first one, as they lie in memory at this moment: what a process leaves
/// behind that ends without notice. Stateless.</summary>
internal static class PileCopy
{
    public static PileOrigin OriginOf(LocalPile pile, uint margin = 0) => new()
    {
        Mask = pile.Context.Mask,
        CounterFirst = 1 + margin,
        ClockStep = pile.Context.Deadlines.Clock.Now,
        Identity = PileDirectory.NewIdentity(),
        HasFloors = margin > 0,
    };

    /// <summary>A pile over the same memory, to be rebuilt.</summary>
    public static LocalPile Make(LocalPile pile, uint margin = 0, TimeProvider? clock = null)
    {
        var options = new PileOptions
        {
            BudgetBytes = pile.Layout.BudgetBytes,
            TimeProvider = clock ?? TimeProvider.System,
        };
        var copy = new LocalPile(options, OriginOf(pile, margin));
        var (from, to) = (pile.Window, copy.Window);
        var last = pile.Context.Arena.Frontier;

        // A pile zeroes what it has committed when it ends. What is written beyond that, the next pile at these
        // addresses would take for its own.
        Assert.True(copy.Context.Arena.TryCommit(last), "The system gives memory.");
        Copy(pile.Layout.EntriesOffset, (last + 1) * BlockLayout.EntryBytes);
        Copy(pile.Layout.DescriptorsOffset, (last + 1) * BlockLayout.DescriptorBytes);
        Copy(pile.Layout.BitmapsOffset, (last + 1) * BlockLayout.BitmapBytes);
        Copy(pile.Layout.BlockOffset(1), last * BlockLayout.BlockBytes);
        return copy;

        void Copy(long offset, long bytes)
        {
            for (long at = 0; at < bytes; at += BlockLayout.EntryBytes)
                to.WriteWord(offset + at, from.ReadWord(offset + at));
        }
    }

    /// <summary>The same, rebuilt; gives how often something was found damaged.</summary>
    public static LocalPile Rebuild(LocalPile pile, out List<string> damaged, uint margin = 0, bool busyIsWhole = true)
    {
        var copy = Make(pile, margin);
        damaged = Rebuild(copy, pile.Context.Arena.Frontier, margin, busyIsWhole);
        return copy;
    }

    public static List<string> Rebuild(LocalPile copy, long blockLast, uint margin = 0, bool busyIsWhole = true)
    {
        var damaged = new List<string>();
        NewRebuilder(copy, damaged, margin, busyIsWhole).Run(blockLast);
        return damaged;
    }

    public static Rebuilder NewRebuilder(
        LocalPile copy, List<string> damaged, uint margin = 0, bool busyIsWhole = true) =>
        new(copy.Context, new RebuildRules
        {
            Margin = margin,
            BusyIsWhole = busyIsWhole,
            IsPast = copy.Context.Deadlines.Clock.IsPast,
            Damaged = (block, problem) => damaged.Add($"{block}: {problem}"),
        });

    public static void SetEntryState(LocalPile pile, long block, SlabState state)
    {
        var entry = pile.Context.Table.Entry(block);
        pile.Context.Table.SetEntry(block, new SlabEntry((entry.Word & ~7UL) | (ulong)state));
    }
}
