using Cluster.Pile.Cells;

namespace Cluster.Pile.Tests.Cells;

/// <summary>Many threads on few cells; what they do together leaves sums that any lost change would show.</summary>
public sealed class CellStormTests
{
    private const int Threads = 4;
    private const int Cells = 8;
    private const int Rounds = 3000;

    [Fact]
    public void Counters_AddedToByManyThreads_LoseNothing()
    {
        using var pile = Create();
        var table = CellTable.GetOrCreate(pile, "cells");
        Run(thread =>
        {
            var random = new Random(thread);
            for (var round = 0; round < Rounds; round++)
            {
                using var cell = table.Use(random.Next(Cells));
                if (!cell.Exists)
                    cell.Resize(sizeof(long));
                Add(cell, 1);

                // Grows and shrinks, so that the record moves.
                cell.Resize(sizeof(long) + (round % 400));
            }
        });
        Assert.Equal(Threads * Rounds, table.EnumerateIds().Sum(id => ValueOf(table, id)));
    }

    [Fact]
    public void Amounts_MovedBetweenCellsByManyThreads_KeepTheirSum()
    {
        using var pile = Create();
        var table = CellTable.GetOrCreate(pile, "cells");
        for (var id = 0; id < Cells; id++)
            table.Save(id, 1, BitConverter.GetBytes(1000L));
        Run(thread =>
        {
            var random = new Random(thread);
            for (var round = 0; round < Rounds; round++)
            {
                // In any order, so that threads would wait in circles if the table did not take them in its own.
                using var cells = table.UseMany([random.Next(Cells), random.Next(Cells), random.Next(Cells)]);
                var amount = random.Next(100);
                Add(cells[0], -2 * amount);
                Add(cells[1], amount);
                Add(cells[2], amount);
            }
        });
        Assert.Equal(Cells * 1000, table.EnumerateIds().Sum(id => ValueOf(table, id)));
    }

    [Fact]
    public void SavesBesideUses_OfTheSameCell_AreNeverOverwrittenByWhatWasReadBefore()
    {
        using var pile = Create();
        var table = CellTable.GetOrCreate(pile, "cells");
        table.Save(1, 0, new byte[16]);
        Run(thread =>
        {
            // One thread saves the rising first half and a copy of it, the others add to the second half: what they
            // store is never of an older save than they have seen.
            var last = 0L;
            for (var round = 1; round <= Rounds; round++)
            {
                if (thread == 0)
                    table.Save(1, 0, BitConverter.GetBytes((Int128)round));
                else
                    last = Observe(table, last);
            }
        });
        Assert.Equal(Rounds, ValueOf(table, 1));
    }

    [Fact]
    public void Loads_BesideChanges_SeeWholeCells()
    {
        using var pile = Create();
        var table = CellTable.GetOrCreate(pile, "cells");
        for (var id = 0; id < Cells; id++)
            table.Save(id, 1, Piles.Payload(1, 100));
        var seen = 0L;
        Run(thread =>
        {
            var random = new Random(thread);
            for (var round = 0; round < Rounds; round++)
            {
                var id = random.Next(Cells);
                if (thread % 2 == 0)
                    Change(table, id, random);
                else if (table.TryLoad(id, out var bytes, out var type))
                {
                    Assert.True(Piles.IsPayload(bytes, type));
                    Interlocked.Increment(ref seen);
                }
            }
        });
        Assert.True(seen > 0);
    }

    // On a busy machine a thread that has a cell in use may not run for a second.
    private static LocalPile Create() => new(Piles.Options(TimeProvider.System, TimeSpan.FromMinutes(10)));

    private static void Change(CellTable table, long id, Random random)
    {
        var type = (ushort)random.Next(1, ushort.MaxValue);
        var bytes = Piles.Payload(type, random.Next(1500));
        switch (random.Next(3))
        {
            case 0:
                table.Save(id, type, bytes);
                break;
            case 1:
                table.Remove(id);
                break;
            default:
                using (var cell = table.Use(id))
                    cell.Replace(type, bytes);
                break;
        }
    }

    private static long Observe(CellTable table, long last)
    {
        using var cell = table.Use(1);
        var value = BitConverter.ToInt64(cell.Bytes);
        Assert.True(value >= last, $"{value} was saved before {last}.");
        cell.Edit()[^1]++;
        return value;
    }

    private static void Add(CellAccessor cell, long amount)
    {
        var bytes = cell.Edit();
        BitConverter.TryWriteBytes(bytes, BitConverter.ToInt64(bytes) + amount);
    }

    private static long ValueOf(CellTable table, long id) =>
        table.TryLoad(id, out var bytes, out _) ? BitConverter.ToInt64(bytes) : 0;

    private static void Run(Action<int> work)
    {
        var failures = new Exception?[Threads];
        var threads = Enumerable.Range(0, Threads)
            .Select(thread => new Thread(() => failures[thread] = Record.Exception(() => work(thread)))).ToArray();
        Array.ForEach(threads, thread => thread.Start());
        Array.ForEach(threads, thread => Assert.True(thread.Join(TimeSpan.FromMinutes(5)), "A thread hangs."));
        Assert.All(failures, Assert.Null);
    }
}
