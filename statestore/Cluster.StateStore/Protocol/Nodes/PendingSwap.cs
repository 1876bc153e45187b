using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Protocol.Nodes;

/// <summary>A compare-and-swap whose outcome is not known. Changed by <see cref="Swaps"/> alone.</summary>
/// <param name="successor">The proposed table.</param>
/// <param name="needsCoordinator">Whether only the coordinator may make it.</param>
internal sealed class PendingSwap(ClusterTable successor, bool needsCoordinator)
{
    public ClusterTable Successor { get; } = successor;

    public bool NeedsCoordinator { get; } = needsCoordinator;

    /// <summary>When it is proposed again; null: its answer is awaited.</summary>
    public long? RetryAt { get; set; }
}
