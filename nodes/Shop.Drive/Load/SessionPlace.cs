using Cluster.Contracts;

namespace Shop.Drive.Load;

/// <summary>Where a session's cart is kept at this moment. Immutable.</summary>
/// <param name="Owner">The node that owns its partition, or <c>null</c> while nobody does.</param>
/// <param name="LossCount">How often the partition has lost its contents.</param>
internal readonly record struct SessionPlace(NodeId? Owner, int LossCount);
