namespace Cluster.Testing.Simulation.Invariants;

/// <summary>One promise that a simulated run must keep. A broken promise is reported with
/// <see cref="SimulatedWorld.Violate"/>. An invariant belongs to one run.</summary>
public interface IInvariant
{
    /// <summary>Called after each event. It looks only at what the event can have changed.</summary>
    /// <param name="cluster">The run.</param>
    void Check(SimulatedCluster cluster);

    /// <summary>Called once, when the run has ended.</summary>
    /// <param name="cluster">The run.</param>
    void CheckEnd(SimulatedCluster cluster);
}
