namespace Cluster.Pile.Slabs;

/// <summary>How many segments are in which state, and the blocks that have memory. An immutable value.</summary>
internal readonly record struct SegmentCounts(long InUse, long Ready, long GivenBack, long ResidentBlocks);
