namespace Cluster.Pile.Slabs;

/// <summary>The number of segments in each state, and the number of blocks with memory. An immutable value.</summary>
internal readonly record struct SegmentCounts(long InUse, long Ready, long GivenBack, long ResidentBlocks);
