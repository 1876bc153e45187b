namespace Cluster.Contracts;

/// <summary>Identifies one life of one node: its configured name and an incarnation that is new at each start. Two ids
/// with the same name and different incarnations are different nodes that share a configuration.</summary>
/// <param name="Name">The configured name, unique among the nodes that run at the same time.</param>
/// <param name="Incarnation">A random value, new each time the process starts.</param>
public readonly record struct NodeId(string Name, Guid Incarnation)
{
    /// <summary>Makes the id for a new life of the node with this name.</summary>
    /// <param name="name">The configured name.</param>
    public static NodeId NewIncarnation(string name)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        return new NodeId(name, Guid.NewGuid());
    }

    /// <summary>The name, fit for a line of a log, and the first eight digits of the incarnation: enough to tell lives
    /// apart.</summary>
    public override string ToString() => $"{LogText.Clean(Name)}/{Incarnation.ToString("N")[..8]}";
}
