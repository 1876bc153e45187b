namespace Cluster.Nodes.Liveness;

/// <summary>The judgement on one life of a node. Immutable; nothing is ever taken from a node without proof.</summary>
/// <param name="Node">The life in question.</param>
/// <param name="State">What is known.</param>
/// <param name="Reason">What shows it, in words.</param>
internal readonly record struct LivenessResult(NodeId Node, LivenessState State, string Reason);
