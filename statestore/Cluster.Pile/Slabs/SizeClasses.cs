using Cluster.Pile.Layout;

namespace Cluster.Pile.Slabs;

/// <summary>The table of slot sizes: every 8 bytes from 16 to 512, then steps of at most 6 %, with sizes just above the
/// powers of two in between, because payloads of a power of two are common. Immutable, one for the process; part of the
/// format.</summary>
internal static class SizeClasses
{
    public const int SlotBytesMin = 16;
    public const int SlotBytesExactMax = 512;

    /// <summary>The largest slot of a slab: the longest payload of a plain header. Anything above is a run of
    /// blocks.</summary>
    public const int SlotBytesMax = SlotHeader.Bytes + SlotHeader.LengthMax + 1;

    /// <summary>A class of small slots has slabs of one block until it owns this many bytes.</summary>
    public const long YoungBytesMax = 16L << 20;

    /// <summary>The class number in slab entries of runs.</summary>
    public const int RunIndex = 511;

    /// <summary>The class number in slab entries of log segments of record tables.</summary>
    public const int LogIndex = 510;

    /// <summary>The class number in slab entries of index pages of record tables.</summary>
    public const int PageIndex = 509;

    private const int StepPerMille = 60;

    private static readonly SizeClass[] Table = CreateTable();
    private static readonly ushort[] IndexByGranules = CreateIndex();

    public static int Count => Table.Length;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref readonly SizeClass At(int index) => ref Table[index];

    /// <summary>The class for header, second word and payload together; at most <see cref="SlotBytesMax"/>
    /// bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int IndexFor(long bytes) => IndexByGranules[(bytes + 7) >> 3];

    private static SizeClass[] CreateTable()
    {
        var sizes = new SortedSet<int>();
        for (var size = SlotBytesMin; size <= SlotBytesExactMax; size += PilePointer.GranuleBytes)
            sizes.Add(size);
        for (var power = SlotBytesExactMax; power < SlotBytesMax; power *= 2)
        {
            for (var extra = 1; extra <= 3; extra++)
                sizes.Add(Math.Min(power + (extra * PilePointer.GranuleBytes), SlotBytesMax));
        }

        for (var size = SlotBytesExactMax; size < SlotBytesMax;)
        {
            size = size * (1000 + StepPerMille) / 1000 / PilePointer.GranuleBytes * PilePointer.GranuleBytes;
            sizes.Add(Math.Min(size, SlotBytesMax));
        }

        Invariant.Holds(sizes.Count < PageIndex && sizes.Max == SlotBytesMax, "Class numbers fit into slab entries.");
        return [.. sizes.Select((size, index) => new SizeClass(index, size))];
    }

    private static ushort[] CreateIndex()
    {
        var index = new ushort[(SlotBytesMax / PilePointer.GranuleBytes) + 1];
        var at = 0;
        for (var granules = 0; granules < index.Length; granules++)
        {
            while (Table[at].SlotGranules < granules)
                at++;
            index[granules] = (ushort)at;
        }

        return index;
    }
}
