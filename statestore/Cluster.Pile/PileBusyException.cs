namespace Cluster.Pile;

/// <summary>The object, cell or buffer that should change or be freed is in use: a view, a pin or a lease holds it.
/// Nothing was changed; try again when the holder has released it. The message says whether the holder is this thread.
/// Immutable.</summary>
public sealed class PileBusyException : PileException
{
    /// <summary>Refuses a change because its subject is in use.</summary>
    /// <param name="message">The subject that is in use, and its holder.</param>
    /// <param name="pointer">The object under a view; default when another subject is in use.</param>
    public PileBusyException(string message, PilePointer pointer = default)
        : base(message) =>
        Pointer = pointer;

    /// <summary>The object under a view; default when another subject is in use.</summary>
    public PilePointer Pointer { get; }
}
