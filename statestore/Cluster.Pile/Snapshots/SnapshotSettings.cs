namespace Cluster.Pile.Snapshots;

/// <summary>The settings for snapshots, from the options and the origin of a pile. Immutable.</summary>
/// <param name="LogBytesMax">The memory that copies of changed blocks may take while a snapshot is written.</param>
/// <param name="Margin">How far a restore raises the counters of slots.</param>
/// <param name="CounterFirst">The first counter of slots in addresses that were never used.</param>
internal sealed record SnapshotSettings(long LogBytesMax, uint Margin, uint CounterFirst);
