namespace Cluster.Buffers.Errors;

/// <summary>Checks of invariants that the memory safety of buffers depends on, on in every build. A failed check is a
/// bug of this library; the operation ends with an exception. Stateless.</summary>
internal static class BufferInvariant
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Holds([DoesNotReturnIf(false)] bool condition, string fact)
    {
        if (!condition)
            BufferErrors.InvariantBroken(fact);
    }
}
