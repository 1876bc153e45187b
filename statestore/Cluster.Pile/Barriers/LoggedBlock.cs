using Cluster.Pile.Layout;

namespace Cluster.Pile.Barriers;

/// <summary>A block of the snapshot, its entry at the snapshot point, and the block that holds its copy.
/// Immutable.</summary>
internal readonly record struct LoggedBlock(long Block, SlabEntry Entry, long Copy);
