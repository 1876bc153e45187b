namespace Cluster.Pile.Tables.Index;

/// <summary>One record in the index. An immutable value; zero is none. In memory it is read and written
/// whole.</summary>
/// <remarks>
/// <code>
/// bits 40..63  tag       (24)  the top bits of the key's hash, of which the first choose the page
/// bits 36..39  distance   (4)  how many buckets behind its own one the entry lies
/// bits  0..35  granule   (36)  where the record's header is
/// </code>
/// The tag and the distance together tell where an entry belongs: a page is split without a look at any record.
/// </remarks>
internal readonly record struct IndexEntry(ulong Word)
{
    public const int TagShift = 40;
    public const int TagBits = 64 - TagShift;
    public const int DistanceShift = PilePointer.GranuleBits;
    public const int DistanceMax = (1 << (TagShift - DistanceShift)) - 1;

    /// <summary>The bits that a search compares: tag and distance.</summary>
    public const ulong SoughtMask = ~GranuleMask;

    public const ulong GranuleMask = (1UL << DistanceShift) - 1;

    public IndexEntry(uint tag, int distance, long granule)
        : this(((ulong)tag << TagShift) | ((ulong)distance << DistanceShift) | (ulong)granule)
    {
    }

    public uint Tag => (uint)(Word >> TagShift);

    public int Distance => (int)(Word >> DistanceShift) & DistanceMax;

    public long Granule => (long)(Word & GranuleMask);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint TagOf(ulong hash) => (uint)(hash >> TagShift);

    /// <summary>The sought bits of an entry: the tag, and the distance from its own bucket.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Sought(uint tag, int distance) =>
        ((ulong)tag << TagShift) | ((ulong)distance << DistanceShift);

    /// <summary>The same entry, for a record at another granule that replaces the present one.</summary>
    public IndexEntry At(long granule) => new((Word & SoughtMask) | (ulong)granule);

    public IndexEntry AtDistance(int distance) => new(Tag, distance, Granule);
}
