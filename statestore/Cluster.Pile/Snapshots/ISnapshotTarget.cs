using Cluster.Pile.Layout;

namespace Cluster.Pile.Snapshots;

/// <summary>Receives the blocks that a <see cref="SnapshotReader"/> reads: a pile that is being restored, or a check
/// that keeps nothing. For one thread.</summary>
internal interface ISnapshotTarget
{
    /// <summary>The reader calls this for every block before it reads any content.</summary>
    void SetHighWater(long block, uint counter);

    /// <summary>The memory into which the reader reads the content of a block; the content may turn out to be
    /// damaged.</summary>
    Span<byte> PlaceOf(long block);

    /// <summary>The reader calls this when the content is in its place and intact.</summary>
    void Take(long block, SlabEntry entry);
}
