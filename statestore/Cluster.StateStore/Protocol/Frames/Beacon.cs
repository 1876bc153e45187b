using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Protocol.Frames;

/// <summary>Says that a node is alive. Immutable.</summary>
/// <param name="SentAt">The sender's monotonic clock; only the sender uses it.</param>
/// <param name="TableVersion">The version of the table that the sender knows.</param>
/// <param name="Silent">The members that the sender does not hear.</param>
internal sealed record Beacon(long SentAt, long TableVersion, ImmutableArray<NodeSlot> Silent)
{
    /// <summary>Whether the sender takes itself for the coordinator.</summary>
    public bool IsCoordinator { get; init; }
}
