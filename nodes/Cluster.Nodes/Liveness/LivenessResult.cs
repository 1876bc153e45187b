namespace Cluster.Nodes.Liveness;

/// <summary>The judgement on one incarnation of a node. Immutable; a node loses nothing without proof of its
/// death.</summary>
/// <param name="Node">The incarnation in question.</param>
/// <param name="State">The judgement.</param>
/// <param name="Reason">The evidence, in words.</param>
internal readonly record struct LivenessResult(NodeId Node, LivenessState State, string Reason);
