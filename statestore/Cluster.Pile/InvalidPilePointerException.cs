namespace Cluster.Pile;

/// <summary>The pointer names no live object of this pile: it is <c>default</c>, its object was deleted, it belongs to
/// another pile, or it was never issued. Nothing was read or changed. Immutable.</summary>
public sealed class InvalidPilePointerException : PileException
{
    internal InvalidPilePointerException(PilePointer pointer)
        : base($"The pointer {pointer} names no live object of this pile; it was deleted, comes from another pile, "
            + "or was never issued.") =>
        Pointer = pointer;

    internal InvalidPilePointerException(PilePointer pointer, int index)
        : base($"The pointer {pointer} at index {index} names no live object of this pile; it was deleted, comes from "
            + "another pile, or was never issued.")
    {
        Pointer = pointer;
        Index = index;
    }

    internal InvalidPilePointerException(PilePointer pointer, string message)
        : base(message) =>
        Pointer = pointer;

    /// <summary>The refused pointer.</summary>
    public PilePointer Pointer { get; }

    /// <summary>The index of the refused pointer among many; null when the operation was given only one.</summary>
    public int? Index { get; }
}
