using Cluster.Nodes.Hosting;

namespace Cluster.SystemTests.Host;

/// <summary>The states of the test cluster, the same in the node processes and in the test itself. Stateless.</summary>
public static class TestStates
{
    /// <summary>The name of the one state.</summary>
    public const string Notes = "notes";

    /// <summary>Adds the states.</summary>
    /// <param name="cluster">Where to.</param>
    public static ClusterBuilder AddTo(ClusterBuilder cluster) => cluster.AddState<string, Note>(Notes);
}
