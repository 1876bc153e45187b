using Cluster.Benchmarks.Harness;

namespace Cluster.Benchmarks.Web;

/// <summary>The area <c>web</c>: what ASP.NET Core remembers, in the cluster and in the stock implementations.</summary>
internal sealed class WebArea : IBenchmarkArea
{
    /// <inheritdoc/>
    public string Name => "web";

    /// <inheritdoc/>
    public void Run(BenchmarkRun run)
    {
        ArgumentNullException.ThrowIfNull(run);
        if (run.Wants(CollectionRow.Name))
            CollectionRow.Run(run);
        if (!run.Wants([.. CacheRows.Names, .. SessionRows.Names, HybridRow.Name]))
            return;

        // Without a Redis server the rows are left out, and printed as not ok.
        using var sides = WebSides.TryStart();
        if (sides is null)
            return;
        CacheRows.Run(run, sides);
        SessionRows.Run(run, sides);
        if (run.Wants(HybridRow.Name))
            HybridRow.Run(run, sides);
    }
}
