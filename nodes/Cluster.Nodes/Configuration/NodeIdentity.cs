namespace Cluster.Nodes.Configuration;

/// <summary>The identity of this process. Made once per host, so that each start is a new incarnation.
/// Immutable.</summary>
/// <param name="Node">Name and incarnation.</param>
internal sealed record NodeIdentity(NodeId Node)
{
    /// <summary>The name under which this process's own server is reached without a network.</summary>
    public string InProcessName => $"cluster-{Node.Incarnation:N}";

    /// <summary>The address of that name.</summary>
    public string InProcessAddress => $"inproc://{InProcessName}";
}
