using Cluster.Pile.Slabs;

namespace Cluster.Pile.Persistence;

/// <summary>What becomes of the blocks that a <see cref="SnapshotReader"/> reads: a pile that is being restored, or
/// nothing when a snapshot is only checked. For one thread.</summary>
internal interface ISnapshotTarget
{
    /// <summary>Called for every block before any content is read.</summary>
    void SetHighWater(long block, uint counter);

    /// <summary>Where the content of a block is to be read to; it may turn out to be damaged.</summary>
    Span<byte> PlaceOf(long block);

    /// <summary>The content is there and intact.</summary>
    void Take(long block, SlabEntry entry);
}
