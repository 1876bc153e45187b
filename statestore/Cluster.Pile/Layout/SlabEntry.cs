using Cluster.Pile.Slabs;

namespace Cluster.Pile.Layout;

/// <summary>The word that the slab table holds for every block of 64 KiB. An immutable value; in memory it is read and
/// written whole, so an optimistic reader that finds it unchanged knows that the slab kept its class and that no
/// version wrapped meanwhile.</summary>
/// <remarks>
/// <code>
/// bits 40..63  wraps       (24)  how often a version in this block went over zero; on top, so it may overflow
/// bits 20..39  incarnation (20)  counts the lives of the block
/// bits 16..19  blocks       (4)  blocks of the slab, less one; zero for runs
/// bits 12..15  position     (4)  index of this block in its slab
/// bits  3..11  class        (9)  size class; 511 for runs
/// bits  0..2   state        (3)  SlabState
/// </code>
/// </remarks>
internal readonly record struct SlabEntry(ulong Word)
{
    public const int ClassShift = 3;
    public const int PositionShift = 12;
    public const int BlocksShift = 16;
    public const int IncarnationShift = 20;
    public const int WrapsShift = 40;
    public const int BlocksMax = 16;
    public const ulong OneWrap = 1UL << WrapsShift;

    private const ulong StateMask = 7;
    private const ulong ClassMask = 511;
    private const ulong NibbleMask = 15;
    private const ulong IncarnationMask = (1UL << (WrapsShift - IncarnationShift)) - 1;

    public SlabState State => (SlabState)(Word & StateMask);

    public int Class => (int)((Word >> ClassShift) & ClassMask);

    public int Position => (int)((Word >> PositionShift) & NibbleMask);

    public int Blocks => (int)((Word >> BlocksShift) & NibbleMask) + 1;

    public uint Incarnation => (uint)((Word >> IncarnationShift) & IncarnationMask);

    /// <summary>The word without the count of wraps.</summary>
    public ulong WithoutWraps => Word & (OneWrap - 1);

    /// <summary>Whether the block holds data that cannot be computed again: objects, or records of a log.</summary>
    public bool IsKept => State switch
    {
        SlabState.Slots or SlabState.RunHead or SlabState.RunTail => true,
        SlabState.SegmentHead or SlabState.SegmentTail => Class == SizeClasses.LogIndex,
        _ => false,
    };

    /// <summary>The next incarnation of this block as part of a slab.</summary>
    public SlabEntry NextLife(SlabState state, int sizeClass, int position, int blocks) =>
        new((ulong)state | ((ulong)sizeClass << ClassShift) | ((ulong)position << PositionShift)
            | ((ulong)(blocks - 1) << BlocksShift) | (((Incarnation + 1) & IncarnationMask) << IncarnationShift));

    /// <summary>Whether both have the same incarnation of the block; versions may have wrapped in between.</summary>
    public bool IsSameLife(SlabEntry other) => (Word ^ other.Word) << (64 - WrapsShift) == 0;

    /// <summary>The same incarnation, ended: nothing resolves in the block any more.</summary>
    public SlabEntry Freed() => With(SlabState.Freed);

    /// <summary>The same incarnation, vacant: the block is not in use until the next one.</summary>
    public SlabEntry Vacated() => With(SlabState.Vacant);

    private SlabEntry With(SlabState state) => new((Word & ~StateMask) | (ulong)state);
}
