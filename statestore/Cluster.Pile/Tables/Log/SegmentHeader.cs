using Cluster.Pile.Layout;

namespace Cluster.Pile.Tables.Log;

/// <summary>The first 64 bytes of every log segment, as offsets in the segment. They describe the segment, so that a
/// walk over the blocks alone finds the records of every table. The owner of the segment writes the words; every thread
/// that claims room changes the cursor.</summary>
internal static class SegmentHeader
{
    public const int Bytes = 64;

    /// <summary>"CLUSTLOG" as bytes.</summary>
    public const ulong Magic = 0x474F4C5453554C43;

    /// <summary>"CLUSTNEW": in place of the magic until the rest of the header is there.</summary>
    public const ulong Unmade = 0x57454E5453554C43;

    public const int MagicAt = 0;

    /// <summary>Table number in the lower half; in the upper half the level of the deadline window, the priority, and
    /// whether the segment is a main one.</summary>
    public const int TableAt = 8;

    /// <summary>The number of the segment in the pile. Of two records of one key, the one in the segment with the
    /// higher number counts.</summary>
    public const int SequenceAt = 16;

    /// <summary>The place of the next record, from the start of the segment; all room before it was claimed.</summary>
    public const int CursorAt = 24;

    /// <summary>The number of the window of its records' deadlines, among windows of its level.</summary>
    public const int WindowAt = 32;

    /// <summary>The bit of the cursor that says that the segment is closed: no thread can claim room any
    /// more.</summary>
    public const ulong Closed = 1UL << 63;

    public const int LevelShift = 32;
    public const int PriorityShift = 40;
    public const int BlocksMax = BlockLayout.BlocksPerSegment;

    public const int MainShift = 48;

    public static ulong Describe(uint table, LogClass logClass) =>
        table | ((ulong)logClass.Level << LevelShift) | ((ulong)logClass.Priority << PriorityShift)
            | (logClass.IsMain ? 1UL << MainShift : 0);

    public static uint TableOf(ulong described) => (uint)described;

    public static LogClass ClassOf(ulong described, ulong window) =>
        new((byte)(described >> PriorityShift), (byte)(described >> LevelShift), (uint)window,
            (described & (1UL << MainShift)) != 0);
}
