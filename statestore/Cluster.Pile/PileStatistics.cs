namespace Cluster.Pile;

/// <summary>
/// What a pile holds and what it costs. An immutable snapshot; the counters are exact when nothing else runs
/// and close otherwise.
/// </summary>
/// <remarks>
/// <see cref="ReservedBytes"/> = <see cref="LiveBytes"/> + <see cref="BufferBytes"/> + <see cref="FreeBytes"/>
/// + <see cref="OverheadBytes"/>.
/// </remarks>
public sealed record PileStatistics
{
    internal PileStatistics()
    {
    }

    /// <summary>Live objects.</summary>
    public long Objects { get; init; }

    /// <summary>Objects that outgrew their slot and are reached through one hop.</summary>
    public long Links { get; init; }

    /// <summary>
    /// Slots too large for a slab, with a run of 64 KiB blocks of their own: objects, or bodies behind a link.
    /// </summary>
    public long LargeObjects { get; init; }

    /// <summary>Payload bytes of the live objects.</summary>
    public long LiveBytes { get; init; }

    /// <summary>Bytes that typed buffers take of the pile, in blocks of 64 KiB, which small ones share.</summary>
    public long BufferBytes { get; init; }

    /// <summary>Bytes that are taken from the system and can hold new objects: free slots and vacant blocks.</summary>
    public long FreeBytes { get; init; }

    /// <summary>Headers, rounding up to slot sizes, slots of links, and bookkeeping.</summary>
    public long OverheadBytes { get; init; }

    /// <summary>Bytes taken from the system and not given back, in blocks of 64 KiB.</summary>
    public long ReservedBytes { get; init; }

    /// <summary>The hard cap, <see cref="PileOptions.BudgetBytes"/>.</summary>
    public long BudgetBytes { get; init; }

    /// <summary>Segments of 2 MiB that hold something.</summary>
    public long SegmentsInUse { get; init; }

    /// <summary>
    /// Segments of 2 MiB that hold nothing and are kept ready, <see cref="PileOptions.ReserveBytes"/> of them.
    /// </summary>
    public long SegmentsReady { get; init; }

    /// <summary>Segments of 2 MiB that were used once and whose memory the system has back.</summary>
    public long SegmentsGivenBack { get; init; }

    /// <summary>
    /// The slabs by slot size; sizes without slabs are left out.
    /// </summary>
    public IReadOnlyList<PileSizeClass> SizeClasses { get; init; } = [];
}
