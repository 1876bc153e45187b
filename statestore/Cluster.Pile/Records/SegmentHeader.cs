using Cluster.Pile.Memory;

namespace Cluster.Pile.Records;

/// <summary>The first 64 bytes of every log segment, which say what it is, so that a walk over the blocks alone finds
/// the records of every table. Places within the segment; the words are written by the owner of the segment, the cursor
/// by everybody who claims room.</summary>
internal static class SegmentHeader
{
    public const int Bytes = 64;

    /// <summary>"CLUSTLOG" as bytes.</summary>
    public const ulong Magic = 0x474F4C5453554C43;

    /// <summary>"CLUSTNEW": in place of the magic until the rest of the header is there.</summary>
    public const ulong Unmade = 0x57454E5453554C43;

    public const int MagicAt = 0;

    /// <summary>Table number in the lower half; level of the deadline window and priority in the upper.</summary>
    public const int TableAt = 8;

    /// <summary>Rises over all segments of the pile: of two records of one key the one in the later segment
    /// counts.</summary>
    public const int SequenceAt = 16;

    /// <summary>Where the next record goes, from the start of the segment; everything before was claimed.</summary>
    public const int CursorAt = 24;

    /// <summary>The window that the deadlines of its records lie in, by its level.</summary>
    public const int WindowAt = 32;

    /// <summary>Set in the cursor when nothing is claimed any more.</summary>
    public const ulong Closed = 1UL << 63;

    public const int LevelShift = 32;
    public const int PriorityShift = 40;
    public const int BlocksMax = BlockLayout.BlocksPerSegment;

    public const int MainShift = 48;

    /// <summary>The word at <see cref="TableAt"/>.</summary>
    public static ulong Describe(uint table, LogClass logClass) =>
        table | ((ulong)logClass.Level << LevelShift) | ((ulong)logClass.Priority << PriorityShift)
            | (logClass.IsMain ? 1UL << MainShift : 0);

    /// <summary>The number of the table in the word at <see cref="TableAt"/>.</summary>
    public static uint TableOf(ulong described) => (uint)described;

    /// <summary>The class in the words at <see cref="TableAt"/> and <see cref="WindowAt"/>.</summary>
    public static LogClass ClassOf(ulong described, ulong window) =>
        new((byte)(described >> PriorityShift), (byte)(described >> LevelShift), (uint)window,
            (described & (1UL << MainShift)) != 0);
}
