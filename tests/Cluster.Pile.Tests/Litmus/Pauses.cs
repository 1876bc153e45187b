namespace Cluster.Pile.Tests.Litmus;

/// <summary>Short pauses at random places, so that threads meet in the middle of things: mostly none, at times a
/// moment, seldom the rest of the time slice. Each thread has its own row of them.</summary>
internal static class Pauses
{
    private const int SpinsMax = 64;

    [ThreadStatic]
    private static ulong _row;

    public static void Next()
    {
        _row = Piles.Mix(_row + (ulong)Environment.CurrentManagedThreadId + 1);
        if (_row % 8192 == 0)
            Thread.Yield();
        else if (_row % 32 == 0)
            Thread.SpinWait((int)(_row >> 32) & (SpinsMax - 1));
    }
}
