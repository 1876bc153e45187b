namespace Cluster.StateStore;

/// <summary>Whom an error message names as a partition's owner. Immutable.</summary>
/// <param name="Node">Name and incarnation.</param>
/// <param name="Address">Where its services listen.</param>
internal readonly record struct ClusterOwner(NodeId Node, string Address);
