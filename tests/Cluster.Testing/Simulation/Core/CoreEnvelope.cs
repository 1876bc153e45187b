using Cluster.Contracts;

namespace Cluster.Testing.Simulation.Core;

/// <summary>A frame with the life that it is for. A message that was sent before a crash can reach the next life, which
/// must not take it.</summary>
/// <param name="To">The receiver.</param>
/// <param name="Frame">The frame.</param>
internal sealed record CoreEnvelope(NodeId To, object Frame)
{
    public override string ToString() => Frame.ToString() ?? "";
}
