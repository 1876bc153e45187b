using Cluster.Contracts;

namespace Shop.Drive.Load;

/// <summary>The place of a session's cart at one moment. Immutable.</summary>
/// <param name="Owner">The node that owns the cart's partition; <c>null</c> if no node owns it.</param>
/// <param name="LossCount">How often the partition has lost its contents.</param>
internal readonly record struct SessionPlace(NodeId? Owner, int LossCount);
