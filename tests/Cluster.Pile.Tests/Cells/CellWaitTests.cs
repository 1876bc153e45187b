using Cluster.Pile.Cells;
using Cluster.Testing;

namespace Cluster.Pile.Tests.Cells;

/// <summary>Threads that wait for each other's cells, by a clock that only the test moves. Its timers tell when a
/// thread waits.</summary>
public sealed class CellWaitTests
{
    private static readonly TimeSpan PinWait = TimeSpan.FromMinutes(3);

    private readonly ManualTimeProvider _clock = new();

    [Theory]
    [InlineData("save")]
    [InlineData("remove")]
    [InlineData("use")]
    [InlineData("use many")]
    public async Task Change_OfACellInUse_GoesOnWhenItIsFree(string change)
    {
        using var pile = Piles.Create(_clock, PinWait);
        var table = Create(pile);
        using var holder = new CellHolder(table, 1);
        var waiting = Task.Run(() => Change(table, change));
        await _clock.WaitForTimersAsync();
        _clock.Advance(PinWait - TimeSpan.FromTicks(1));
        Assert.False(waiting.IsCompleted);
        CheckLength(table, 3);

        holder.Dispose();
        await waiting.WaitAsync(TimeSpan.FromMinutes(1));
        CheckLength(table, change switch { "save" => 0, "remove" => -1, _ => 5 });
        Assert.Equal(0, _clock.ArmedTimerCount);
    }

    [Theory]
    [InlineData("save")]
    [InlineData("remove")]
    [InlineData("use")]
    [InlineData("use many")]
    public async Task Change_OfACellInUseForAllOfPinWait_ThrowsAndChangesNothing(string change)
    {
        using var pile = Piles.Create(_clock, PinWait);
        var table = Create(pile);
        using var holder = new CellHolder(table, 1);
        var waiting = Task.Run(() => Change(table, change));
        await _clock.WaitForTimersAsync();
        _clock.Advance(PinWait);
        var error = await Assert.ThrowsAsync<PileBusyException>(() => waiting.WaitAsync(TimeSpan.FromMinutes(1)));
        Assert.Contains(nameof(PileOptions.PinWait), error.Message, StringComparison.Ordinal);
        holder.Dispose();
        CheckLength(table, 4);

        // Neither cell is left behind held.
        await Task.Run(() => Change(table, "use many")).WaitAsync(TimeSpan.FromMinutes(1));
        CheckLength(table, 5);
    }

    [Fact]
    public void Change_WithoutPinWait_ThrowsWithoutWaiting()
    {
        using var pile = Piles.Create(_clock, TimeSpan.Zero);
        var table = Create(pile);
        using var holder = new CellHolder(table, 1);
        foreach (var change in new[] { "save", "remove", "use", "use many" })
            Assert.Throws<PileBusyException>(() => Change(table, change));
        table.Save(2, 1, "other cells are free"u8);
        CheckLength(table, 3);
    }

    [Fact]
    public void Accessor_OfAnEndedThread_IsReportedAndItsCellIsFree()
    {
        var reported = new List<CellAccessorOrigin>();
        using var pile = new LocalPile(new PileOptions
        {
            TimeProvider = _clock,
            PinWait = TimeSpan.Zero,
            CellAccessorAbandoned = reported.Add,
        });
        var table = Create(pile);
        new CellHolder(table, 1, isDisposed: false).Dispose();
        Change(table, "use");
        CheckLength(table, 4);
        var origin = Assert.Single(reported);
        Assert.Equal(("cells", 1), (origin.Table, origin.Id));
        Assert.EndsWith("CellHolder.cs", origin.File, StringComparison.Ordinal);
        Assert.InRange(origin.Line, 1, 100);
    }

    [Fact]
    public void Accessor_NeverDisposed_IsReportedAtTheEndOfThePile()
    {
        var reported = new List<CellAccessorOrigin>();
        var pile = new LocalPile(new PileOptions { CellAccessorAbandoned = reported.Add });
        var table = Create(pile);
        var cell = table.Use(1);
        cell.Edit()[0] = 1;
        var again = table.Use(1);
        pile.Dispose();
        Assert.Equal(2, reported.Count);
        Assert.All(reported, origin => Assert.EndsWith("CellWaitTests.cs", origin.File, StringComparison.Ordinal));

        // Late, but no error: the cell went with its pile.
        again.Dispose();
        cell.Dispose();
        pile.Dispose();
        Assert.Equal(2, reported.Count);
    }

    [Fact]
    public async Task Dispose_OfThePile_EndsWaitsForCells()
    {
        var pile = Piles.Create(_clock, PinWait);
        var table = Create(pile);
        using var holder = new CellHolder(table, 1);
        var waiting = Task.Run(() => Change(table, "save"));
        await _clock.WaitForTimersAsync();
        pile.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting.WaitAsync(TimeSpan.FromMinutes(1)));
    }

    private static CellTable Create(LocalPile pile)
    {
        var table = CellTable.GetOrCreate(pile, "cells");
        table.Save(1, 7, "one"u8);
        return table;
    }

    private static void Change(CellTable table, string change)
    {
        switch (change)
        {
            case "save":
                table.Save(1, 1, default);
                break;
            case "remove":
                Assert.True(table.Remove(1));
                break;
            case "use":
                using (var cell = table.Use(1))
                    cell.Resize(cell.Length + 1);
                break;
            default:
                // Zero comes first, so that it is held while the other one is waited for.
                using (var cells = table.UseMany([1, 0]))
                    cells[0].Resize(cells[0].Length + 1);
                break;
        }
    }

    private static void CheckLength(CellTable table, int length) =>
        Assert.Equal(length, table.TryLoad(1, out var bytes, out _) ? bytes.Length : -1);
}
