namespace Cluster.Pile;

/// <summary>The content of a pile, its memory, and the counts of its operations. An immutable snapshot; the counters
/// are exact when no other operation runs, and approximate otherwise.</summary>
/// <remarks><see cref="ReservedBytes"/> = <see cref="LiveBytes"/> + <see cref="BufferBytes"/> +
/// <see cref="RecordBytes"/> + <see cref="FreeBytes"/> + <see cref="OverheadBytes"/>.</remarks>
public sealed record PileStatistics
{
    internal PileStatistics()
    {
    }

    /// <summary>Live objects.</summary>
    public long Objects { get; init; }

    /// <summary>Objects that outgrew their slot and are read through one link.</summary>
    public long Links { get; init; }

    /// <summary>Slots that are too large for a slab, each in a separate run of 64 KiB blocks: objects, or the content
    /// of linked objects.</summary>
    public long LargeObjects { get; init; }

    /// <summary>Payload bytes of the live objects.</summary>
    public long LiveBytes { get; init; }

    /// <summary>Views that are open.</summary>
    public long OpenViews { get; init; }

    /// <summary>Bytes of the pile that typed buffers use, in blocks of 64 KiB, which small buffers share.</summary>
    public long BufferBytes { get; init; }

    /// <summary>Bytes of the pile that cache and cell tables use with their indexes, in blocks of 64 KiB. Their entries
    /// do not count as <see cref="Objects"/>; objects that an entry owns do.</summary>
    public long RecordBytes { get; init; }

    /// <summary>Bytes that were taken from the system and can hold new objects: free slots and vacant blocks.</summary>
    public long FreeBytes { get; init; }

    /// <summary>Bytes of headers, of rounding up to slot sizes, of the slots of links, and of bookkeeping.</summary>
    public long OverheadBytes { get; init; }

    /// <summary>Bytes that were taken from the system and not given back, in blocks of 64 KiB.</summary>
    public long ReservedBytes { get; init; }

    /// <summary>The hard limit, <see cref="PileOptions.BudgetBytes"/>.</summary>
    public long BudgetBytes { get; init; }

    /// <summary>The share of the memory of slabs and large objects that is in free slots, 0 to 1. A free slot can hold
    /// a new object of its size only. Vacant blocks can hold objects of any size and do not count.</summary>
    public double Fragmentation { get; init; }

    /// <summary>Objects that were put since the pile was created, new ones and replacements.</summary>
    public long Puts { get; init; }

    /// <summary>Objects that were read since the pile was created, as bytes, text or graphs; reading a size alone does
    /// not count. Counted without synchronisation, so a few may be missing when very many threads read.</summary>
    public long Gets { get; init; }

    /// <summary>Objects that were deleted since the pile was created, without those that a purge deleted.</summary>
    public long Deletes { get; init; }

    /// <summary><see cref="Puts"/> per second, since an earlier <see cref="LocalPile.GetStatistics"/> at least one
    /// second ago; at first since the pile was created.</summary>
    public double PutsPerSecond { get; init; }

    /// <summary><see cref="Gets"/> per second, over the same time as <see cref="PutsPerSecond"/>.</summary>
    public double GetsPerSecond { get; init; }

    /// <summary><see cref="Deletes"/> per second, over the same time as <see cref="PutsPerSecond"/>.</summary>
    public double DeletesPerSecond { get; init; }

    /// <summary>Segments of 2 MiB with at least one block in use.</summary>
    public long SegmentsInUse { get; init; }

    /// <summary>Segments of 2 MiB with no block in use whose memory is kept ready, up to
    /// <see cref="PileOptions.ReserveBytes"/>.</summary>
    public long SegmentsReady { get; init; }

    /// <summary>Segments of 2 MiB that were in use once and whose memory was given back to the system.</summary>
    public long SegmentsGivenBack { get; init; }

    /// <summary>The slabs by slot size; sizes without slabs are left out.</summary>
    public IReadOnlyList<PileSizeClass> SizeClasses { get; init; } = [];
}

/// <summary>The slots of one size. An immutable value.</summary>
/// <param name="SlotBytes">The size with its 8-byte header.</param>
/// <param name="Slots">All slots.</param>
/// <param name="FreeSlots">Slots without an object, including those in the magazines of threads.</param>
/// <param name="RetiredSlots">Slots that are never used again because their generations ran out.</param>
/// <param name="ReservedBytes">The bytes of the slabs of this size.</param>
public readonly record struct PileSizeClass(
    int SlotBytes, long Slots, long FreeSlots, long RetiredSlots, long ReservedBytes);

/// <summary>The result of one <see cref="LocalPile.Compact"/>. An immutable value.</summary>
/// <param name="ReleasedBytes">Bytes that were given back to the system.</param>
/// <param name="MovedLinks">Linked objects whose content was moved.</param>
public readonly record struct PileCompaction(long ReleasedBytes, long MovedLinks);
