namespace Cluster.Pile.Records;

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

    /// <summary>The bits by which an entry is looked for.</summary>
    public const ulong SoughtMask = ~GranuleMask;

    public const ulong GranuleMask = (1UL << DistanceShift) - 1;

    public IndexEntry(uint tag, int distance, long granule)
        : this(((ulong)tag << TagShift) | ((ulong)distance << DistanceShift) | (ulong)granule)
    {
    }

    public uint Tag => (uint)(Word >> TagShift);

    public int Distance => (int)(Word >> DistanceShift) & DistanceMax;

    public long Granule => (long)(Word & GranuleMask);

    /// <summary>The tag of a hash.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint TagOf(ulong hash) => (uint)(hash >> TagShift);

    /// <summary>The sought bits of entries with the tag of a hash, in their own bucket or behind it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Sought(uint tag, int distance) =>
        ((ulong)tag << TagShift) | ((ulong)distance << DistanceShift);

    /// <summary>The same entry for a record that replaces this one.</summary>
    public IndexEntry At(long granule) => new((Word & SoughtMask) | (ulong)granule);

    /// <summary>The same entry at another distance from its bucket.</summary>
    public IndexEntry AtDistance(int distance) => new(Tag, distance, Granule);
}
