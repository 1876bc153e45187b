namespace Cluster.Pile;

/// <summary>The exceptions of the pile itself, kept out of the hot methods so that those stay small.
/// Stateless.</summary>
internal static class PileErrors
{
    // A name instead of nameof, because the parts below LocalPile must not depend on it.
    private const string PileName = "Cluster.Pile.LocalPile";

    [DoesNotReturn]
    public static void OutsideWindow(long offset, long length, long windowLength) =>
        throw new InvalidOperationException(
            $"Bug in the pile: bytes {offset}..{offset + length} are outside its range of {windowLength} bytes.");

    [DoesNotReturn]
    public static void InvariantBroken(string fact) =>
        throw new InvalidOperationException($"Bug in the pile: an invariant does not hold. {fact}");

    [DoesNotReturn]
    public static void InvalidPointer(PilePointer pointer) => throw new InvalidPilePointerException(pointer);

    [DoesNotReturn]
    public static void InvalidPointer(ReadOnlySpan<PilePointer> pointers, int index) =>
        throw new InvalidPilePointerException(pointers[index], index);

    [DoesNotReturn]
    public static void PileNotOpen(PilePointer pointer) =>
        throw new InvalidPilePointerException(
            pointer, "The handle names no pile that is open in this process; its pile was disposed, or the handle is "
                + "default or of another process.");

    [DoesNotReturn]
    public static void TooFewPlaces(int needed, int found) =>
        throw new ArgumentException($"There are {needed} pointers and only {found} places for what they give.");

    [DoesNotReturn]
    public static void DestinationTooSmall(int needed, int found) =>
        throw new ArgumentException(
            $"The object has {needed} bytes and the destination only {found}; SizeOf tells the size.");

    [DoesNotReturn]
    public static void Disposed() => throw new ObjectDisposedException(PileName);

    [DoesNotReturn]
    public static void WrongType(Type stored, Type asked) =>
        throw new InvalidCastException($"The object is a {stored}; it cannot be got as {asked}.");

    [DoesNotReturn]
    public static void TimeToLiveOutOfRange(TimeSpan? timeToLive) =>
        throw new ArgumentOutOfRangeException(
            nameof(timeToLive),
            timeToLive,
            $"{nameof(PutHints)}.{nameof(PutHints.TimeToLive)} goes from {PutHints.MinTimeToLive} "
                + $"to {PutHints.MaxTimeToLive}; {nameof(Timeout)}.{nameof(Timeout.InfiniteTimeSpan)} means no end.");
}
