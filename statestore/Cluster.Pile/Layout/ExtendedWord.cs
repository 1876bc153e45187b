namespace Cluster.Pile.Layout;

/// <summary>The second word of an extended object, between header and payload. An immutable value, written under the
/// header's lock.</summary>
/// <remarks>
/// <code>
/// bits 32..63  length   (32)  payload bytes
/// bits  3..31  deadline (29)  step of the pile's clock from which on the object is gone; zero for none
/// bits  0..2   kind      (3)  the real PayloadKind
/// </code>
/// </remarks>
internal readonly record struct ExtendedWord(ulong Word)
{
    public const int Bytes = 8;
    public const int LengthShift = 32;
    public const int DeadlineShift = 3;
    public const int DeadlineBits = 29;

    /// <summary>The last step that a deadline can name; after it, the clock wraps around to zero.</summary>
    public const uint DeadlineMax = (1U << DeadlineBits) - 1;

    private const ulong KindMask = 7;

    public ExtendedWord(int length, PayloadKind kind, uint deadline)
        : this(((ulong)(uint)length << LengthShift) | ((ulong)deadline << DeadlineShift) | (ulong)kind) =>
        Invariant.Holds(deadline <= DeadlineMax, "The deadline fits into the second word.");

    /// <summary>Payload bytes. The caller checks the length against the slot, because a racing reader may have loaded
    /// any value.</summary>
    public uint Length => (uint)(Word >> LengthShift);

    public uint Deadline => (uint)(Word >> DeadlineShift) & DeadlineMax;

    public PayloadKind Kind => (PayloadKind)(Word & KindMask);
}
