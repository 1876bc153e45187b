namespace Cluster.Pile.Layout;

/// <summary>Checks of invariants that memory safety depends on, on in every build. A failed check is a bug of the pile;
/// the operation ends with an exception. Stateless.</summary>
internal static class Invariant
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Holds([DoesNotReturnIf(false)] bool condition, string fact)
    {
        if (!condition)
            PileErrors.InvariantBroken(fact);
    }
}
