namespace Cluster.Pile;

/// <summary>The object, cell or buffer that should change or be freed is in use: a view, a pin or a lease holds it.
/// Nothing was changed; try again when the holder has released it. The message says whether the holder is this thread.
/// Immutable.</summary>
/// <param name="message">What is in use, and who holds it.</param>
/// <param name="pointer">The object under a view; default when something else is in use.</param>
public sealed class PileBusyException(string message, PilePointer pointer = default) : PileException(message)
{
    /// <summary>The object under a view; default when another subject is in use.</summary>
    public PilePointer Pointer { get; } = pointer;
}
