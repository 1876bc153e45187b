namespace Cluster.Benchmarks.Harness;

/// <summary>The measurements of one area, such as <c>slim</c>. Found by reflection: a class with a parameterless
/// constructor in this assembly is enough. Ours and its rivals run in the same call.</summary>
public interface IBenchmarkArea
{
    /// <summary>The area's name on the command line and in the row table.</summary>
    string Name { get; }

    /// <summary>Measures and reports every row of the area, quickest first, so that an overrun loses the
    /// least.</summary>
    /// <param name="run">Mode, sizes, time budget, and where to report.</param>
    void Run(BenchmarkRun run);
}
