namespace Cluster.Pile.Layout;

/// <summary>Checks of what must hold for memory to be safe, on in every build. A failed one is a bug of the pile; the
/// operation ends with an exception and goes no further. Stateless.</summary>
internal static class Invariant
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Holds([DoesNotReturnIf(false)] bool condition, string fact)
    {
        if (!condition)
            PileThrow.InvariantBroken(fact);
    }
}
