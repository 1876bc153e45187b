namespace Cluster.Pile.Barriers;

/// <summary>What the write barrier calls before a block changes. Immutable.</summary>
/// <param name="Cut">The running snapshot, which copies the block.</param>
/// <param name="Sums">The checksums, which forget that of the block.</param>
internal sealed record BlockWatch(SnapshotCut? Cut, BlockSums? Sums)
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void BeforeChange(long block)
    {
        Sums?.Forget(block);
        Cut?.Keep(block);
    }
}
