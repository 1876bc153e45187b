namespace Cluster.Pile.Persistence;

/// <summary>Where everyone passes who is about to change a block: while a snapshot is being written, a block that
/// belongs to it is copied first; in a mapped pile its checksum is forgotten. Owned by one pile. One reference that is
/// set while no operation runs; while nobody wants to know, passing is one load and one branch.</summary>
/// <remarks>To be passed inside an operation, before the first store into the block or into its entry. Not for states
/// of slots that only say who is at an object: locks and pins; a snapshot and a checksum take those for live. Reads
/// never pass.</remarks>
internal sealed class BlockGuard
{
    private BlockWatch? _watch;
    private ReuseWatch? _reuse;

    /// <summary>Whether anybody wants to know.</summary>
    public bool IsWatched => Volatile.Read(ref _watch) is not null;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void BeforeChange(long block)
    {
        Volatile.Read(ref _watch)?.BeforeChange(block);
    }

    /// <summary>For several blocks, the last one included.</summary>
    public void BeforeChange(long first, long last)
    {
        if (Volatile.Read(ref _watch) is not { } watch)
            return;
        for (var block = first; block <= last; block++)
            watch.BeforeChange(block);
    }

    /// <summary>Called with every counter that is a multiple of <see cref="ReuseWatch.Stride"/>.</summary>
    public void NoteReuse(long granule, uint counter) => Volatile.Read(ref _reuse)?.Note(granule, counter);

    /// <summary>Begins to keep the blocks of a snapshot. Called while no operation runs.</summary>
    public void Open(SnapshotCut cut)
    {
        Invariant.Holds(_watch?.Cut is null, "One snapshot is written at a time.");
        Volatile.Read(ref _reuse)?.Restart();
        Volatile.Write(ref _watch, new BlockWatch(cut, _watch?.Sums));
    }

    /// <summary>Keeps nothing any more; operations that run may still be about to.</summary>
    public void Close() => Volatile.Write(ref _watch, _watch?.Sums is { } sums ? new BlockWatch(null, sums) : null);

    /// <summary>Begins to forget checksums. Called before anybody uses the pile.</summary>
    public void Open(BlockSums sums) => Volatile.Write(ref _watch, new BlockWatch(null, sums));

    /// <summary>Gives up the snapshot that is under way when its log takes memory, because the pile needs it.</summary>
    public void MakeRoom()
    {
        if (Volatile.Read(ref _watch)?.Cut is { TakesMemory: true } cut)
            cut.GiveUp("the pile became full, and changes need the memory of its side log");
    }

    public void Watch(ReuseWatch? watch) => Volatile.Write(ref _reuse, watch);
}
