namespace Cluster.Pile;

/// <summary>What a pile holds and what it costs. An immutable snapshot; the counters are exact when nothing else runs
/// and close otherwise.</summary>
/// <remarks><see cref="ReservedBytes"/> = <see cref="LiveBytes"/> + <see cref="BufferBytes"/> +
/// <see cref="RecordBytes"/> + <see cref="FreeBytes"/> + <see cref="OverheadBytes"/>.</remarks>
public sealed record PileStatistics
{
    internal PileStatistics()
    {
    }

    /// <summary>Live objects.</summary>
    public long Objects { get; init; }

    /// <summary>Objects that outgrew their slot and are reached through one hop.</summary>
    public long Links { get; init; }

    /// <summary>Slots too large for a slab, with a run of 64 KiB blocks of their own: objects, or bodies behind a
    /// link.</summary>
    public long LargeObjects { get; init; }

    /// <summary>Payload bytes of the live objects.</summary>
    public long LiveBytes { get; init; }

    /// <summary>Views that are open.</summary>
    public long OpenViews { get; init; }

    /// <summary>Bytes that typed buffers take of the pile, in blocks of 64 KiB, which small ones share.</summary>
    public long BufferBytes { get; init; }

    /// <summary>Bytes that cache and cell tables take of the pile with their indexes, in blocks of 64 KiB. Their
    /// entries are not among the <see cref="Objects"/>, but for objects that an entry owns.</summary>
    public long RecordBytes { get; init; }

    /// <summary>Bytes that are taken from the system and can hold new objects: free slots and vacant blocks.</summary>
    public long FreeBytes { get; init; }

    /// <summary>Headers, rounding up to slot sizes, slots of links, and bookkeeping.</summary>
    public long OverheadBytes { get; init; }

    /// <summary>Bytes taken from the system and not given back, in blocks of 64 KiB.</summary>
    public long ReservedBytes { get; init; }

    /// <summary>The hard cap, <see cref="PileOptions.BudgetBytes"/>.</summary>
    public long BudgetBytes { get; init; }

    /// <summary>The share of the memory of slabs and large objects that lies in free slots, 0 to 1. It can hold new
    /// objects, but only of the same sizes; vacant blocks can hold any and do not count.</summary>
    public double Fragmentation { get; init; }

    /// <summary>Objects put, new ones and replaced ones, since the pile began.</summary>
    public long Puts { get; init; }

    /// <summary>Objects read, as bytes, text or graphs, since the pile began; not looks at a size alone. Counted
    /// without any synchronisation, so a few may be missing when very many threads read.</summary>
    public long Gets { get; init; }

    /// <summary>Objects deleted since the pile began; not those that a purge ended.</summary>
    public long Deletes { get; init; }

    /// <summary><see cref="Puts"/> per second, since an earlier <see cref="LocalPile.GetStatistics"/> at least one
    /// second ago, at first since the pile began.</summary>
    public double PutsPerSecond { get; init; }

    /// <summary>Like <see cref="PutsPerSecond"/>, of <see cref="Gets"/>.</summary>
    public double GetsPerSecond { get; init; }

    /// <summary>Like <see cref="PutsPerSecond"/>, of <see cref="Deletes"/>.</summary>
    public double DeletesPerSecond { get; init; }

    /// <summary>Segments of 2 MiB that hold something.</summary>
    public long SegmentsInUse { get; init; }

    /// <summary>Segments of 2 MiB that hold nothing and are kept ready, <see cref="PileOptions.ReserveBytes"/> of
    /// them.</summary>
    public long SegmentsReady { get; init; }

    /// <summary>Segments of 2 MiB that were used once and whose memory the system has back.</summary>
    public long SegmentsGivenBack { get; init; }

    /// <summary>The slabs by slot size; sizes without slabs are left out.</summary>
    public IReadOnlyList<PileSizeClass> SizeClasses { get; init; } = [];
}

/// <summary>The slots of one size. An immutable value.</summary>
/// <param name="SlotBytes">The size with its 8-byte header.</param>
/// <param name="Slots">All slots.</param>
/// <param name="FreeSlots">Those that hold no object, including the ones that threads keep at hand.</param>
/// <param name="RetiredSlots">Those that are never used again because their generations ran out.</param>
/// <param name="ReservedBytes">The bytes of their slabs.</param>
public readonly record struct PileSizeClass(
    int SlotBytes, long Slots, long FreeSlots, long RetiredSlots, long ReservedBytes);

/// <summary>What one <see cref="LocalPile.Compact"/> did. An immutable value.</summary>
/// <param name="ReleasedBytes">Memory that it gave back to the system.</param>
/// <param name="MovedLinks">Objects behind a link whose bytes it moved together with others.</param>
public readonly record struct PileCompaction(long ReleasedBytes, long MovedLinks);
