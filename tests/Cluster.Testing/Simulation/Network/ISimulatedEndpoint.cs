namespace Cluster.Testing.Simulation.Network;

/// <summary>A node or a client that the simulated network delivers messages to.</summary>
public interface ISimulatedEndpoint
{
    /// <summary>The name in the trace.</summary>
    string Name { get; }

    /// <summary>Called when a message arrives.</summary>
    /// <param name="message">The message.</param>
    void Deliver(in SimulatedMessage message);
}
