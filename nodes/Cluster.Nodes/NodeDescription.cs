namespace Cluster.Nodes;

/// <summary>One node of a cluster. Immutable.</summary>
/// <param name="Node">Its name, and the incarnation that tells it from an earlier process of that name.</param>
/// <param name="Address">Where its services listen.</param>
/// <param name="State">How far it has come.</param>
/// <param name="Services">The names of the services that it offers.</param>
public sealed record NodeDescription(NodeId Node, string Address, NodeState State, IReadOnlyList<string> Services);
