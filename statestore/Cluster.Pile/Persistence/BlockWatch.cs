namespace Cluster.Pile.Persistence;

/// <summary>Who wants to know that a block is about to change. Immutable.</summary>
/// <param name="Cut">The snapshot that is under way, which keeps the block as it is.</param>
/// <param name="Sums">The checksums that no longer hold.</param>
internal sealed record BlockWatch(SnapshotCut? Cut, BlockSums? Sums)
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void BeforeChange(long block)
    {
        Sums?.Forget(block);
        Cut?.Keep(block);
    }
}
