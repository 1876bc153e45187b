using Cluster.Benchmarks.GraphEngine;
using Cluster.Benchmarks.Harness;
using Cluster.Testing.GraphEngine;

namespace Cluster.Benchmarks.Cache;

/// <summary>The Graph Engine test: cells beside a C++ map, each side in its own process on warm pages. What the full
/// size would take is calculated from what a cell costs where the run was smaller.</summary>
internal static class GraphRows
{
    private const double Gibibyte = 1L << 30;

    // What runs beside the test has to fit, too.
    private const long SpareBytes = 2L << 30;

    public static void Run(BenchmarkRun run)
    {
        if (!run.Wants("graph.time", "graph.time.plain", "graph.save", "graph.memory", "graph.memory.map",
            "graph.overhead", "graph.overhead.map"))
        {
            return;
        }

        // Where the full size does not fit into memory, an eighth of it.
        var iterations = run.Size("graph.time");
        if (GraphEngineProcess.PeakBytes(iterations) > AvailableBytes() - SpareBytes)
            iterations /= 8;
        using var rival = CppRival.TryCompile(out _);
        var ours = GraphEngineProcess.RunOurs(iterations);
        run.Report("graph.save", iterations / ours.Seconds / 1e6, iterations);
        run.Report("graph.memory", FullBytes(ours, iterations) / Gibibyte, iterations);
        run.Report("graph.overhead", ours.OverheadPerCell, iterations);
        if (rival is null)
            return;
        var reserved = GraphEngineProcess.Run(rival, iterations, reserves: true);
        var plain = GraphEngineProcess.Run(rival, iterations, reserves: false);
        if (!reserved.HoldsTheSameAs(ours) || !plain.HoldsTheSameAs(ours))
            throw new InvalidOperationException("The sides of the Graph Engine test hold different cells.");
        run.Report("graph.time", reserved.Seconds / ours.Seconds, iterations);
        run.Report("graph.time.plain", plain.Seconds / ours.Seconds, iterations);
        run.Report("graph.memory.map", FullBytes(plain, iterations) / Gibibyte, iterations);
        run.Report("graph.overhead.map", plain.OverheadPerCell, iterations);
    }

    // Ids are of 32 bits: the more of them, the more come again, so that live cells are a little less than in
    // proportion.
    private static double FullBytes(GraphEngineResult result, long iterations) =>
        iterations == GraphEngineProgram.IterationsFull
            ? result.ResidentBytes
            : GraphEngineProgram.LiveFull * (CellSequence.CellBytes + result.OverheadPerCell);

    private static long AvailableBytes() => GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;
}
