using System.Runtime.CompilerServices;

namespace Cluster.Pile.Persistence;

/// <summary>
/// Where everyone passes who is about to change a block: while a snapshot is being written, a block that belongs to it
/// is copied first. Owned by one pile. One reference that is set and cleared while no operation runs; without a
/// snapshot, passing is one load and one branch.
/// </summary>
/// <remarks>
/// To be passed inside an operation, before the first store into the block or into its entry. Not for states of slots
/// that only say who is at an object: locks and pins; a snapshot takes those for live. Reads never pass.
/// </remarks>
internal sealed class BlockGuard
{
    private SnapshotCut? _cut;
    private ReuseWatch? _reuse;

    /// <summary>Whether a snapshot is under way.</summary>
    public bool IsCutOpen => Volatile.Read(ref _cut) is not null;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void BeforeChange(long block)
    {
        if (Volatile.Read(ref _cut) is { } cut)
            cut.Keep(block);
    }

    /// <summary>For several blocks, the last one included.</summary>
    public void BeforeChange(long first, long last)
    {
        if (Volatile.Read(ref _cut) is not { } cut)
            return;
        for (var block = first; block <= last; block++)
            cut.Keep(block);
    }

    /// <summary>Called with every counter that is a multiple of <see cref="ReuseWatch.Stride"/>.</summary>
    public void NoteReuse(long granule, uint counter) => Volatile.Read(ref _reuse)?.Note(granule, counter);

    /// <summary>Begins to keep the blocks of a snapshot. Called while no operation runs.</summary>
    public void Open(SnapshotCut cut)
    {
        Invariant.Holds(_cut is null, "One snapshot is written at a time.");
        Volatile.Read(ref _reuse)?.Restart();
        Volatile.Write(ref _cut, cut);
    }

    /// <summary>Keeps nothing any more; operations that run may still be about to.</summary>
    public void Close() => Volatile.Write(ref _cut, null);

    /// <summary>Gives up the snapshot that is under way when its log takes memory, because the pile needs it.</summary>
    public void MakeRoom()
    {
        if (Volatile.Read(ref _cut) is { TakesMemory: true } cut)
            cut.GiveUp("the pile became full, and changes need the memory of its side log");
    }

    public void Watch(ReuseWatch? watch) => Volatile.Write(ref _reuse, watch);
}
