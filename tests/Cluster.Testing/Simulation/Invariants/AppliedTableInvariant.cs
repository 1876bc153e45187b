using Cluster.Contracts;
using Cluster.Testing.Simulation.Nodes;

namespace Cluster.Testing.Simulation.Invariants;

/// <summary>I16 and the part of I2 that concerns nodes: a life applies only tables of its own cluster, and their
/// versions never fall. Judges programs that implement <see cref="INodeReport"/>.</summary>
public sealed class AppliedTableInvariant : IInvariant
{
    private readonly Dictionary<NodeId, long> _applied = [];

    /// <inheritdoc />
    public void Check(SimulatedCluster cluster)
    {
        ArgumentNullException.ThrowIfNull(cluster);
        if (cluster.LastCalled is not { Program: INodeReport report, Node: { } life })
            return;
        var version = report.AppliedVersion;
        if (version == _applied.GetValueOrDefault(life))
            return;
        if (version < _applied.GetValueOrDefault(life))
            cluster.World.Violate("I2", $"{life} went back from version {_applied[life]} to {version}");
        _applied[life] = version;
        if (report.AppliedClusterId != cluster.Store.Meta.ClusterId)
            cluster.World.Violate("I16", $"{life} applied version {version} of cluster {report.AppliedClusterId}");
    }

    /// <inheritdoc />
    public void CheckEnd(SimulatedCluster cluster)
    {
        ArgumentNullException.ThrowIfNull(cluster);
        foreach (var node in cluster.Nodes)
        {
            if (node is { Program: INodeReport { AppliedVersion: > 0 } report }
                && report.AppliedClusterId != cluster.Store.Meta.ClusterId)
                cluster.World.Violate("I16", $"{node} ends with a table of cluster {report.AppliedClusterId}");
        }
    }
}
