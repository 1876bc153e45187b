using Cluster.Pile.Cells;
using Cluster.Testing.GraphEngine;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Cells;

/// <summary>The Graph Engine test of the designs, repaired: the checksums are those that the C++ side prints for as
/// many iterations (tests/Cluster.Benchmarks/GraphEngine/unordered_map.cpp).</summary>
public sealed class CellGraphEngineTests(ITestOutputHelper output)
{
    private const long GiB = 1L << 30;

    [Fact]
    [Trait("Case", "pile-19")]
    public void GraphEngine_OfASixtyfourth_HoldsTheCellsOfTheOtherSide() =>
        Run(1 << 20, 695_775, 0x5DCF5FD49E2DB1AA);

    [Fact]
    [Trait("Case", "pile-19")]
    [Trait("Category", "Soak")]
    public void GraphEngine_OfAnEighth_HoldsTheCellsOfTheOtherSide() =>
        Run(1 << 23, 5_565_297, 0xE02FD8838D8F6E51);

    [Fact]
    [Trait("Case", "pile-19")]
    [Trait("Category", "Soak")]
    public void GraphEngine_InFull_HoldsTheCellsOfTheOtherSideIn15GiB()
    {
        if (GC.GetGCMemoryInfo().TotalAvailableMemoryBytes < 20 * GiB)
        {
            output.WriteLine("Not run: the process may not have 20 GiB.");
            return;
        }

        Run(1 << 26, 44_220_246, 0xD2129C9DEE722F86);
    }

    private void Run(long iterations, long live, ulong checksum)
    {
        // 48 bytes a cell is what 14.9 GiB at full scale are.
        const int OverheadMax = 48;
        var budget = (live * (CellSequence.CellBytes + OverheadMax)) + (32 << 20);
        using var pile = new LocalPile(new PileOptions { BudgetBytes = budget });
        var table = CellTable.GetOrCreate(pile, "cells");
        var sequence = CellSequence.Start();
        var bytes = new byte[CellSequence.CellBytes];
        for (var i = 0L; i < iterations; i++)
        {
            var step = sequence.Next();
            bytes.AsSpan().Fill(step.Fill);
            table.Save(step.Id, step.Type, bytes);
            if (step.Removes)
                Assert.True(table.Remove(step.Id));
        }

        var overhead = ((double)table.ReservedBytes / table.Count) - CellSequence.CellBytes;
        output.WriteLine($"{iterations:N0} iterations, {table.Count:N0} cells, {table.ReservedBytes:N0} bytes, "
            + $"{overhead:F1} beside the bytes of a cell");
        Assert.Equal(live, table.Count);
        Assert.Equal(checksum, ChecksumOf(table));
        Assert.True(overhead <= OverheadMax);
    }

    private static ulong ChecksumOf(CellTable table)
    {
        var sum = 0UL;
        var bytes = new byte[CellSequence.CellBytes];
        foreach (var id in table.EnumerateIds())
        {
            Assert.True(table.TryLoad(id, bytes, out var length, out var type));
            sum += CellChecksum.Of(id, type, bytes.AsSpan(0, length));
        }

        return sum;
    }
}
