using Cluster.Nodes.Hosting;

namespace Cluster.SystemTests.Host;

/// <summary>The states of the test cluster, used by the node processes and by the test itself. Stateless.</summary>
public static class TestStates
{
    /// <summary>The name of the state of notes.</summary>
    public const string Notes = "notes";

    /// <summary>The name of the state that the fault scenarios use.</summary>
    public const string Counters = "counters";

    /// <summary>The name of the state of plain bytes.</summary>
    public const string Values = "values";

    /// <summary>The name of the state of which callers keep values.</summary>
    public const string Kept = "kept";

    private const long KeptBytes = 4 << 20;

    /// <summary>Adds the states.</summary>
    /// <param name="cluster">The cluster that gets the states.</param>
    public static ClusterBuilder AddTo(ClusterBuilder cluster) =>
        cluster.AddState<string, Note>(Notes).AddState<string, Counter>(Counters).AddState<long, byte[]>(Values)
            .AddState<long, Counter>(Kept, options => options.NearCacheBytes = KeptBytes);
}
