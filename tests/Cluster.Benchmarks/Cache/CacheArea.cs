using Cluster.Benchmarks.Harness;

namespace Cluster.Benchmarks.Cache;

/// <summary>The area <c>cache</c>: caches and cells in native memory beside managed caches, FASTER and a C++ map, with
/// the same keys and memory in the same state.</summary>
internal sealed class CacheArea : IBenchmarkArea
{
    /// <inheritdoc/>
    public string Name => "cache";

    /// <inheritdoc/>
    public void Run(BenchmarkRun run)
    {
        StoreRows.Run(run);
        GraphRows.Run(run);
        HitRows.Run(run);
        LifeRows.Run(run);
    }
}
