using Cluster.Benchmarks.GraphEngine;
using Cluster.Benchmarks.Harness;
using Cluster.Testing.GraphEngine;

namespace Cluster.Benchmarks.Cache;

/// <summary>
/// The Graph Engine test: cells beside a C++ map, each side in its own process on warm pages. What the full size would
/// take is calculated from what a cell costs where the run was smaller.
/// </summary>
internal static class GraphRows
{
    private const int RoundsQuick = 3;
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
        var ours = new List<GraphEngineResult>();
        var (plain, reserved) = (new List<GraphEngineResult>(), new List<GraphEngineResult>());
        for (var round = 0; round < (run.IsQuick ? RoundsQuick : 1); round++)
        {
            ours.Add(GraphEngineProcess.RunOurs(iterations));
            if (rival is null)
                continue;
            plain.Add(GraphEngineProcess.Run(rival, iterations, reserves: false));
            reserved.Add(GraphEngineProcess.Run(rival, iterations, reserves: true));
        }

        if (plain.Concat(reserved).Any(result => !result.HoldsTheSameAs(ours[0])))
            throw new InvalidOperationException("The sides of the Graph Engine test hold different cells.");
        run.Report("graph.save", iterations / SecondsOf(ours) / 1e6, iterations);
        run.Report("graph.memory", FullBytes(ours[0], iterations) / Gibibyte, iterations);
        run.Report("graph.overhead", ours[0].OverheadPerCell, iterations);
        if (rival is null)
            return;
        run.Report("graph.time", SecondsOf(reserved) / SecondsOf(ours), iterations);
        run.Report("graph.time.plain", SecondsOf(plain) / SecondsOf(ours), iterations);
        run.Report("graph.memory.map", FullBytes(plain[0], iterations) / Gibibyte, iterations);
        run.Report("graph.overhead.map", plain[0].OverheadPerCell, iterations);
    }

    // Ids are of 32 bits: the more of them, the more come again, so that live cells are a little less than in
    // proportion.
    private static double FullBytes(GraphEngineResult result, long iterations) =>
        iterations == GraphEngineProgram.IterationsFull
            ? result.ResidentBytes
            : GraphEngineProgram.LiveFull * (CellSequence.CellBytes + result.OverheadPerCell);

    private static double SecondsOf(List<GraphEngineResult> results) =>
        Race.Median([.. results.Select(result => result.Seconds)]);

    private static long AvailableBytes() => GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;
}
