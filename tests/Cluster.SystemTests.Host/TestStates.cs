using Cluster.Nodes.Hosting;

namespace Cluster.SystemTests.Host;

/// <summary>The states of the test cluster, used by the node processes and by the test itself. Stateless.</summary>
public static class TestStates
{
    /// <summary>The name of the one state.</summary>
    public const string Notes = "notes";

    /// <summary>Adds the states.</summary>
    /// <param name="cluster">The cluster that gets the states.</param>
    public static ClusterBuilder AddTo(ClusterBuilder cluster) => cluster.AddState<string, Note>(Notes);
}
