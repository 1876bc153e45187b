namespace Cluster.Nodes.Consul.Messages;

/// <summary>The text of the coordinator's key for operators: who holds it. Immutable; nothing depends on it.</summary>
/// <param name="Node">The node's name.</param>
/// <param name="Incarnation">This life of it.</param>
/// <param name="Address">Where its services listen.</param>
internal sealed record CoordinatorNote(string Node, Guid Incarnation, string Address);
