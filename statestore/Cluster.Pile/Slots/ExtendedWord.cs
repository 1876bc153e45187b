namespace Cluster.Pile.Slots;

/// <summary>
/// The second word of an extended object, between header and payload. An immutable value, written under the
/// header's lock.
/// </summary>
/// <remarks>
/// <code>
/// bits 32..63  length   (32)  payload bytes
/// bits  3..31  deadline (29)  zero in format version 1: no deadline
/// bits  0..2   kind      (3)  the real PayloadKind
/// </code>
/// </remarks>
internal readonly record struct ExtendedWord(ulong Word)
{
    public const int Bytes = 8;
    public const int LengthShift = 32;
    public const int DeadlineShift = 3;
    private const ulong KindMask = 7;

    public ExtendedWord(int length, PayloadKind kind)
        : this(((ulong)(uint)length << LengthShift) | (ulong)kind)
    {
    }

    /// <summary>
    /// Payload bytes; to be checked against the slot, since a racing reader may have loaded anything.
    /// </summary>
    public uint Length => (uint)(Word >> LengthShift);

    public PayloadKind Kind => (PayloadKind)(Word & KindMask);
}
