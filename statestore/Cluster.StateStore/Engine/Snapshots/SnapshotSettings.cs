namespace Cluster.StateStore.Engine.Snapshots;

/// <summary>Where a node saves snapshots, and how often. Immutable.</summary>
/// <param name="Folder">The folder of the user; each node of each cluster gets one of its own in it.</param>
/// <param name="NodeName">The name of the node, which stays when it starts again.</param>
/// <param name="Interval">Between two snapshots of a partition that changes.</param>
internal sealed record SnapshotSettings(string Folder, string NodeName, TimeSpan Interval)
{
    /// <summary>Whether folders are accepted in which others may write.</summary>
    public bool AllowsSharedFolder { get; init; }
}
