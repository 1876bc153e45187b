namespace Cluster.StateStore.Protocol.Frames;

/// <summary>Tells the coordinator that it is proven that a life has ended. Immutable.</summary>
/// <param name="Node">The life that is over.</param>
/// <param name="Proof">What proves it, in words.</param>
internal sealed record DeathReport(NodeId Node, string Proof);
