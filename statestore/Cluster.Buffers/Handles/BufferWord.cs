namespace Cluster.Buffers.Handles;

/// <summary>The word that tells the state of one entry of the <see cref="BufferTable"/>, and with the index in place of
/// the low bits the handle of its buffer. An immutable value; in memory it is read and written whole.</summary>
/// <remarks>
/// <code>
/// bits 28..63  generation (36)  counts the lives of the entry, from 1; the same in word and handle
/// bits  2..27  leases     (26)  in the word: how many the buffer has
/// bit   1      forgotten   (1)  in the word: its owner was collected, and that is reported
/// bit   0      live        (1)  in the word: there is a buffer
/// bits  0..27  index      (28)  in the handle: the entry
/// </code>
/// Generation 0 does not exist, so <c>default</c> is never a valid handle.
/// </remarks>
internal readonly record struct BufferWord(ulong Word)
{
    public const int GenerationShift = 28;
    public const int LeaseShift = 2;
    public const ulong LiveBit = 1;
    public const ulong ForgottenBit = 2;
    public const ulong OneLease = 1UL << LeaseShift;
    public const ulong LeaseMask = IndexMask & ~(LiveBit | ForgottenBit);
    public const ulong IndexMask = (1UL << GenerationShift) - 1;

    public const ulong GenerationMax = ulong.MaxValue >> GenerationShift;

    public ulong Generation => Word >> GenerationShift;

    public bool IsForgotten => (Word & ForgottenBit) != 0;

    public bool HasLeases => (Word & LeaseMask) != 0;

    public bool HasMostLeases => (Word & LeaseMask) == LeaseMask;

    /// <summary>Whether the handle names the live buffer of this entry.</summary>
    public bool IsLifeOf(ulong handle) => ((Word ^ handle) >> GenerationShift) == 0 && (Word & LiveBit) != 0;

    public static BufferWord LiveWithout(ulong generation) => new((generation << GenerationShift) | LiveBit);

    public static BufferWord Vacant(ulong generation) => new(generation << GenerationShift);

    public static ulong Handle(ulong generation, int index) => (generation << GenerationShift) | (uint)index;

    public static int IndexOf(ulong handle) => (int)(handle & IndexMask);
}
