namespace Cluster.Testing.Simulation.Invariants;

/// <summary>I13, as far as the table shows it: a node that the operator drains has handed over and left before the
/// quiet time at the end of a run is over.</summary>
public sealed class DrainInvariant : IInvariant
{
    /// <inheritdoc />
    public void Check(SimulatedCluster cluster)
    {
    }

    /// <inheritdoc />
    public void CheckEnd(SimulatedCluster cluster)
    {
        ArgumentNullException.ThrowIfNull(cluster);
        foreach (var node in cluster.Nodes.Where(node => node is { IsAlive: true, IsDraining: true }))
            cluster.World.Violate("I13", $"{node} was asked to drain and has not left");
    }
}
