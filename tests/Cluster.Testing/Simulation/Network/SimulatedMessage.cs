using Cluster.Contracts;

namespace Cluster.Testing.Simulation.Network;

/// <summary>One message of the simulated network. Its content is bytes or an object; the sender never changes either
/// after it has sent the message. Immutable.</summary>
/// <param name="From">The end point that sent it.</param>
/// <param name="Sender">The life of the node that sent it; the default value if a client did.</param>
/// <param name="Channel">A number that the sender chose, such as one for beacons and one for appends.</param>
/// <param name="Bytes">The content, or empty.</param>
/// <param name="Content">The content, or null.</param>
public readonly record struct SimulatedMessage(
    int From, NodeId Sender, int Channel, ReadOnlyMemory<byte> Bytes, object? Content);
