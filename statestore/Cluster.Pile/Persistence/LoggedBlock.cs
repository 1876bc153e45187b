using Cluster.Pile.Slabs;

namespace Cluster.Pile.Persistence;

/// <summary>A block of the snapshot, its entry at the snapshot point, and the block that holds its copy.
/// Immutable.</summary>
internal readonly record struct LoggedBlock(long Block, SlabEntry Entry, long Copy);
