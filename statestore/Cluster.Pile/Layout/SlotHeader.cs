namespace Cluster.Pile.Layout;

/// <summary>The 8-byte word in front of every payload. An immutable value; in memory it is read and written whole, so
/// one load tells whether a pointer is valid and what it names, and the version makes the same word the sequence lock
/// of optimistic readers.</summary>
/// <remarks>
/// <code>
/// bits 36..63  generation (28)  compared with the pointer's
/// bits 24..35  version    (12)  counts updates in place; the slab entry counts how often it wrapped
/// bits  6..23  length     (18)  payload bytes; zero when the kind is link or extended
/// bits  3..5   kind        (3)  PayloadKind
/// bits  0..2   state       (3)  SlotState
/// </code>
/// All zero is a free slot, which is also what discarded memory reads as.
/// </remarks>
internal readonly record struct SlotHeader(ulong Word)
{
    public const int Bytes = 8;
    public const int KindShift = 3;
    public const int LengthShift = 6;
    public const int LengthBits = 18;
    public const int VersionShift = 24;
    public const int VersionBits = 12;
    public const int GenerationShift = PilePointer.GranuleBits;

    /// <summary>The longest payload that needs no second word.</summary>
    public const int LengthMax = (1 << LengthBits) - 1;

    private const ulong StateMask = 7;
    private const ulong ReadableBit = 1;
    private const ulong KindMask = 7;

    // Set in the kinds from Link on, clear in the others.
    private const ulong NotInSlot = (ulong)PayloadKind.Link << KindShift;
    private const ulong VersionMask = (1UL << VersionBits) - 1;

    public SlotHeader(uint generation, uint version, int length, PayloadKind kind, SlotState state)
        : this(((ulong)generation << GenerationShift) | ((version & VersionMask) << VersionShift)
            | ((ulong)(uint)length << LengthShift) | ((ulong)kind << KindShift) | (ulong)state) =>
        Invariant.Holds((uint)length <= LengthMax, "The length fits into the header.");

    public uint Generation => (uint)(Word >> GenerationShift);

    public uint Version => (uint)((Word >> VersionShift) & VersionMask);

    public int Length => (int)(Word >> LengthShift) & LengthMax;

    public PayloadKind Kind => (PayloadKind)((Word >> KindShift) & KindMask);

    public SlotState State => (SlotState)(Word & StateMask);

    /// <summary>Whether the slot holds an object that may be read: live, with or without views.</summary>
    public bool IsReadable => (Word & ReadableBit) != 0;

    /// <summary>Whether the slot holds an object that pointers name; it may be locked at the moment.</summary>
    public bool IsObject => IsReadable || State == SlotState.Busy;

    /// <summary>Whether views are open on the object, so that it must not change.</summary>
    public bool IsPinned => State is SlotState.Pinned or SlotState.Shared;

    /// <summary>Whether the object may be read and its payload lies in this slot, right behind the header.</summary>
    public bool IsPlain => (Word & (ReadableBit | NotInSlot)) == ReadableBit;

    /// <summary>Whether the payload lies in this slot, right after the header, and the object has neither a lock nor a
    /// view.</summary>
    public bool IsPlainAndLive => (Word & (StateMask | NotInSlot)) == (ulong)SlotState.Live;

    /// <summary>The header of a free slot whose next object gets this pointer.</summary>
    public static SlotHeader FreeFor(PilePointer next) => new(next.Value & ~PilePointer.GranuleMask);

    /// <summary>Whether the next update wraps the version to zero.</summary>
    public bool VersionWrapsNext => Version == VersionMask;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Matches(PilePointer pointer) => (Word ^ pointer.Value) >> GenerationShift == 0;

    /// <summary>Whether both headers are of the same version of the same object; the number of views may
    /// differ.</summary>
    public bool IsSameVersion(SlotHeader other) =>
        Word == other.Word || (((Word ^ other.Word) & ~StateMask) == 0 && IsReadable && other.IsReadable);

    public SlotHeader With(SlotState state) => new((Word & ~StateMask) | (ulong)state);
}
