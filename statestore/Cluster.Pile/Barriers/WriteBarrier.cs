using Cluster.Pile.Layout;

namespace Cluster.Pile.Barriers;

/// <summary>The write barrier: each thread passes it before it changes a block. During a snapshot it first copies a
/// block that belongs to the snapshot; in a mapped pile it forgets the block's checksum. Owned by one pile. It reads
/// one reference, which is set while no operation runs; without snapshot and checksums, passing costs one load and one
/// branch.</summary>
/// <remarks>A thread passes it inside an operation, before the first store into the block or into its entry. It does
/// not pass for locks and pins, which only change the state of a slot; a snapshot and a checksum count such slots as
/// live. Reads never pass.</remarks>
internal sealed class WriteBarrier
{
    private BarrierWatch? _watch;
    private ReuseWatch? _reuse;

    /// <summary>Whether a snapshot is under way or blocks have checksums.</summary>
    public bool IsWatched => Volatile.Read(ref _watch) is not null;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void BeforeChange(long block)
    {
        Volatile.Read(ref _watch)?.BeforeChange(block);
    }

    /// <summary>Passes the barrier for several blocks, the last one included.</summary>
    public void BeforeChange(long first, long last)
    {
        if (Volatile.Read(ref _watch) is not { } watch)
            return;
        for (var block = first; block <= last; block++)
            watch.BeforeChange(block);
    }

    /// <summary>Called with each new counter of a slot that is a multiple of <see cref="ReuseWatch.Stride"/>.</summary>
    public void NoteReuse(long granule, uint counter) => Volatile.Read(ref _reuse)?.Note(granule, counter);

    /// <summary>Starts to keep the blocks of a snapshot. Called while no operation runs.</summary>
    public void Open(SnapshotPoint point)
    {
        Invariant.Holds(_watch?.Point is null, "One snapshot is written at a time.");
        Volatile.Read(ref _reuse)?.Restart();
        Volatile.Write(ref _watch, new BarrierWatch(point, _watch?.Sums));
    }

    /// <summary>Stops keeping blocks for a snapshot. Operations that are running may still copy a block.</summary>
    public void Close() => Volatile.Write(ref _watch, _watch?.Sums is { } sums ? new BarrierWatch(null, sums) : null);

    /// <summary>Starts to forget the checksums of changed blocks. Called before any other thread uses the
    /// pile.</summary>
    public void Open(BlockSums sums) => Volatile.Write(ref _watch, new BarrierWatch(null, sums));

    /// <summary>Gives up a running snapshot whose copies take memory that the pile needs.</summary>
    public void MakeRoom()
    {
        if (Volatile.Read(ref _watch)?.Point is { TakesMemory: true } point)
            point.GiveUp("the pile became full, and changes need the memory of its pre-image log");
    }

    public void Watch(ReuseWatch? watch) => Volatile.Write(ref _reuse, watch);
}

/// <summary>What the write barrier calls before a block changes. Immutable.</summary>
/// <param name="Point">The running snapshot, which copies the block.</param>
/// <param name="Sums">The checksums, which forget that of the block.</param>
internal sealed record BarrierWatch(SnapshotPoint? Point, BlockSums? Sums)
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void BeforeChange(long block)
    {
        Sums?.Forget(block);
        Point?.Keep(block);
    }
}
