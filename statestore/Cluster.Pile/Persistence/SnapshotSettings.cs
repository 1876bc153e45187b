namespace Cluster.Pile.Persistence;

/// <summary>What the options of a pile and its origin say about snapshots. Immutable.</summary>
/// <param name="LogBytesMax">How much memory copies of blocks may take that change while a snapshot is written.</param>
/// <param name="Margin">How far a restore raises the counters of slots.</param>
/// <param name="CounterFirst">The first counter of addresses that were never used.</param>
internal sealed record SnapshotSettings(long LogBytesMax, uint Margin, uint CounterFirst);
