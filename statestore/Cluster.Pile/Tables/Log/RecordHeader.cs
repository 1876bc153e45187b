using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Tables.Log;

/// <summary>The first word of every record, from which everything else about it follows. An immutable value; in memory
/// it is read and written whole. Only the holder of the lock of the key's bucket changes it.</summary>
/// <remarks>
/// <code>
/// bits 34..63  value    (30)  bytes of the value
/// bits 22..33  key      (12)  bytes of the key
/// bits 12..21  version  (10)  rises with every change in place; before it goes over zero the slab entry counts a wrap
/// bits  7..11  slack     (5)  words after the value that the record also takes
/// bit   6      timed     (1)  a word with deadline and time of the put comes before the key
/// bits  3..5   kind      (3)  RecordKind
/// bits  0..2   state     (3)  RecordState
/// </code>
/// </remarks>
internal readonly record struct RecordHeader(ulong Word)
{
    public const int Bytes = 8;
    public const int WordBytes = 8;
    public const int KindShift = 3;
    public const int TimedShift = 6;
    public const int SlackShift = 7;
    public const int VersionShift = 12;
    public const int KeyShift = 22;
    public const int ValueShift = 34;
    public const int KeyBytesMax = (1 << (ValueShift - KeyShift)) - 1;
    public const int ValueBytesMax = (1 << (64 - ValueShift)) - 1;
    public const int SlackMax = (1 << (VersionShift - SlackShift)) - 1;
    public const uint VersionMax = (1U << (KeyShift - VersionShift)) - 1;

    /// <summary>The bits that say where the value begins and whether a plain read may copy it.</summary>
    public const ulong PlainMask = StateMask | (1UL << TimedShift) | ((ulong)KeyBytesMax << KeyShift);

    /// <summary>The bits of <see cref="PlainMask"/>, and the bit that says that the value is a pointer.</summary>
    public const ulong PlainValueMask = PlainMask | ((ulong)RecordKind.Pointer << KindShift);

    private const ulong StateMask = 7;
    private const ulong VersionMask = (ulong)VersionMax << VersionShift;

    public RecordHeader(RecordState state, RecordKind kind, bool isTimed, int keyBytes, int valueBytes)
        : this((ulong)state | ((ulong)kind << KindShift) | (isTimed ? 1UL << TimedShift : 0)
            | ((ulong)keyBytes << KeyShift) | ((ulong)valueBytes << ValueShift))
    {
    }

    /// <summary>The bits of <see cref="PlainMask"/> of a live record without times whose key has this many
    /// bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Plain(int keyBytes) => (ulong)RecordState.Live | ((ulong)keyBytes << KeyShift);

    public RecordState State => (RecordState)(Word & StateMask);

    public RecordKind Kind => (RecordKind)((Word >> KindShift) & 7);

    public bool IsTimed => (Word & (1UL << TimedShift)) != 0;

    public int SlackWords => (int)(Word >> SlackShift) & SlackMax;

    public uint Version => (uint)(Word >> VersionShift) & VersionMax;

    public int KeyBytes => (int)(Word >> KeyShift) & KeyBytesMax;

    public int ValueBytes => (int)(Word >> ValueShift);

    /// <summary>The offset of the key from the header.</summary>
    public int KeyAt
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Bytes + (int)((Word >> (TimedShift - KindShift)) & WordBytes);
    }

    /// <summary>The offset of the value from the header.</summary>
    public int ValueAt => KeyAt + KeyBytes;

    /// <summary>The size of the record, slack included.</summary>
    public long Extent => Rounded((long)ValueAt + ValueBytes) + (SlackWords * WordBytes);

    public static long Rounded(long bytes) => (bytes + (WordBytes - 1)) & ~(long)(WordBytes - 1);

    public RecordHeader With(RecordState state) => new((Word & ~StateMask) | (ulong)state);

    public RecordHeader NextVersion() =>
        new((Word & ~VersionMask) | ((Word + (1UL << VersionShift)) & VersionMask));

    /// <summary>The same header at the version that follows the version of another header.</summary>
    public RecordHeader After(RecordHeader before) =>
        new((Word & ~VersionMask) | (before.NextVersion().Word & VersionMask));

    /// <summary>Gives the header for another value in the same place, at the next version. False: the value does not
    /// fit the place.</summary>
    public bool TryRefill(RecordKind kind, int valueBytes, out RecordHeader refilled)
    {
        var slack = (Extent - Rounded((long)ValueAt + valueBytes)) / WordBytes;
        refilled = new RecordHeader(RecordState.Live, kind, IsTimed, KeyBytes, valueBytes);
        refilled = new RecordHeader(refilled.Word | ((ulong)slack << SlackShift) | (NextVersion().Word & VersionMask));
        return slack is >= 0 and <= SlackMax;
    }
}
