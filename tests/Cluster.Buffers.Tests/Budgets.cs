using Cluster.Pile;
using Cluster.Pile.Hosting;

namespace Cluster.Buffers.Tests;

/// <summary>Budgets of their own for tests, so that they neither see nor disturb the process-wide one.</summary>
internal static class Budgets
{
    public const long MiB = 1 << 20;

    public static BufferBudget Create(long capBytes = 256 * MiB, bool portable = false) =>
        new("test", portable ? SystemMemory.Portable : SystemMemory.OfThisProcess, capBytes);

    /// <summary>A pile of a few megabytes.</summary>
    public static LocalPile CreatePile(long budgetBytes = 64 * MiB) =>
        new(new PileOptions { BudgetBytes = budgetBytes });

    /// <summary>Where a pin points.</summary>
    public static unsafe nint Address(MemoryHandle pin) => (nint)pin.Pointer;

    /// <summary>Everything was freed; ends the budget.</summary>
    public static void CheckEmptyAndClose(BufferBudget budget)
    {
        var statistics = budget.GetStatistics();
        Assert.Equal((0, 0), (statistics.Buffers, statistics.LiveBytes));
        Assert.Equal(0, statistics.Leaks);
        budget.Close();
    }
}
