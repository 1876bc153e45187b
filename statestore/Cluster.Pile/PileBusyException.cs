namespace Cluster.Pile;

/// <summary>What should change or end is in use: a view, a pin or a lease holds it. Nothing was changed; let the holder
/// finish and try again. The message says whether the holder is this thread. Immutable.</summary>
public sealed class PileBusyException : PileException
{
    /// <summary>The refusal of a change because its subject is in use.</summary>
    /// <param name="message">What is in use, and who holds it.</param>
    /// <param name="pointer">The object under a view; default when something else is in use.</param>
    public PileBusyException(string message, PilePointer pointer = default)
        : base(message) =>
        Pointer = pointer;

    /// <summary>The object under a view; default when something else is in use.</summary>
    public PilePointer Pointer { get; }
}
