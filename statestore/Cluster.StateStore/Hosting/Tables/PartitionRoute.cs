namespace Cluster.StateStore.Hosting.Tables;

/// <summary>Where requests for one partition go: its entry, and the member that is its primary. Immutable.</summary>
/// <param name="Entry">The newest known entry.</param>
/// <param name="Owner">The primary, or null when the partition has none.</param>
public sealed record PartitionRoute(PartitionEntry Entry, ClusterMember? Owner)
{
    /// <summary>The route of a partition that nobody owns, or that no table lists yet.</summary>
    public static PartitionRoute Nowhere { get; } = new(PartitionEntry.Unowned, null);
}
