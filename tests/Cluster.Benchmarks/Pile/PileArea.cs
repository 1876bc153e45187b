using Cluster.Benchmarks.Harness;

namespace Cluster.Benchmarks.Pile;

/// <summary>
/// The area <c>pile</c>: native objects beside managed dictionaries and the memory cache. The memory of every pile is
/// touched before it is timed; the rivals' heaps are not.
/// </summary>
internal sealed class PileArea : IBenchmarkArea
{
    /// <inheritdoc/>
    public string Name => "pile";

    /// <inheritdoc/>
    public void Run(BenchmarkRun run)
    {
        SafetyRows.Run(run);
        ReadRows.RunHot(run);
        PutRows.Run(run);
        PersonRows.Run(run);
        ConcurrentRows.Run(run);
        ScanRows.Run(run);
        SpaceRows.Run(run);
        ReadRows.RunCold(run);
        ReadRivalRows.Run(run);
    }
}
