namespace Cluster.StateStore.Hosting.Tables;

/// <summary>How many backups the partitions of one state have. The first node with the state that joins decides, for
/// the whole life of the cluster. Immutable.</summary>
/// <param name="State">The id of the state.</param>
/// <param name="Backups">The number of backups.</param>
public readonly record struct StatePlacement(uint State, byte Backups);
