using Cluster.Pile.Layout;

namespace Cluster.Pile.Snapshots;

/// <summary>Reads a snapshot without keeping its blocks, to find out whether it is complete and intact. Owned by one
/// restore.</summary>
internal sealed class SnapshotCheck : ISnapshotTarget
{
    private readonly byte[] _block = new byte[BlockLayout.BlockBytes];

    public static bool IsWhole(SnapshotFolder folder, long generation, CancellationToken cancellationToken)
    {
        try
        {
            SnapshotReader.Open(folder, generation).Read(new SnapshotCheck(), cancellationToken);
            return true;
        }
        catch (PileSnapshotException)
        {
            return false;
        }
    }

    public void SetHighWater(long block, uint counter)
    {
        // The reader has checked the checksums; nothing else is needed.
    }

    public Span<byte> PlaceOf(long block) => _block;

    public void Take(long block, SlabEntry entry)
    {
    }
}
