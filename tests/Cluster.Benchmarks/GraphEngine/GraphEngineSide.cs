using Cluster.Benchmarks.Buffers;
using Cluster.Pile;
using Cluster.Pile.Cells;
using Cluster.Testing.GraphEngine;

namespace Cluster.Benchmarks.GraphEngine;

/// <summary>Our side of the Graph Engine test: a process that saves cells into a <see cref="CellTable"/>.
/// Stateless.</summary>
public static class GraphEngineSide
{
    /// <summary>The argument that starts this instead of a benchmark; the number of iterations follows.</summary>
    public const string Argument = "--graph-engine-side";

    // What the cells may take beside their bytes; the budget is a cap, only what is used is taken from the system.
    private const int OverheadMax = 64;
    private const long SlackBytes = 64L << 20;
    private const int WarmUpIterations = 200_000;
    private static readonly TimeSpan WarmUpTime = TimeSpan.FromSeconds(1.5);

    // Enough to be touched ahead of use; what is left of it counts as memory of the test.
    private const long ReserveBytesMin = 4L << 20;
    private const long ReserveBytesMax = 8L << 20;
    private const int ReserveShare = 64;

    /// <summary>Runs the process.</summary>
    public static int Run(string count, TextReader input, TextWriter output)
    {
        var iterations = long.Parse(count, CultureInfo.InvariantCulture);

        // The other side was compiled before it began.
        WarmUp();
        output.WriteLine(GraphEngineProcess.Ready);
        output.Flush();
        input.ReadLine();
        var before = ProcessMemory.ResidentBytes();
        var started = Stopwatch.GetTimestamp();
        using var pile = CreatePile(iterations);
        var table = CellTable.GetOrCreate(pile, "cells");
        Fill(table, iterations);
        var seconds = Stopwatch.GetElapsedTime(started).TotalSeconds;
        var after = ProcessMemory.ResidentBytes();
        output.WriteLine(Describe(table, seconds, before, after).ToLine());
        return 0;
    }

    // The runtime compiles hot code again, and waits before it does: half of a short test was spent in code that it
    // was about to replace.
    private static void WarmUp()
    {
        var begun = Stopwatch.GetTimestamp();
        do
        {
            using var pile = CreatePile(WarmUpIterations);
            Fill(CellTable.GetOrCreate(pile, "cells"), WarmUpIterations);
        }
        while (Stopwatch.GetElapsedTime(begun) < WarmUpTime);
    }

    private static LocalPile CreatePile(long iterations)
    {
        var cellBytes = GraphEngineProcess.LiveOf(iterations) * (CellSequence.CellBytes + OverheadMax);
        return new(new PileOptions
        {
            BudgetBytes = cellBytes + SlackBytes,
            ReserveBytes = Math.Clamp(cellBytes / ReserveShare, ReserveBytesMin, ReserveBytesMax),
        });
    }

    private static void Fill(CellTable table, long iterations)
    {
        var sequence = CellSequence.Start();
        Span<byte> bytes = stackalloc byte[CellSequence.CellBytes];
        for (var i = 0L; i < iterations; i++)
        {
            var step = sequence.Next();
            bytes.Fill(step.Fill);
            table.Save(step.Id, step.Type, bytes);
            if (step.Removes)
                table.Remove(step.Id);
        }
    }

    private static GraphEngineResult Describe(CellTable table, double seconds, long before, long after)
    {
        var (sum, payload) = (0UL, 0L);
        Span<byte> bytes = stackalloc byte[CellSequence.CellBytes];
        foreach (var id in table.EnumerateIds())
        {
            if (!table.TryLoad(id, bytes, out var length, out var type))
                throw new InvalidOperationException($"Cell {id} was lost.");
            sum += CellChecksum.Of(id, type, bytes[..length]);
            payload += length;
        }

        return new GraphEngineResult(seconds, before, after, table.Count, payload, sum);
    }
}
