using System.Diagnostics.CodeAnalysis;
using Cluster.Pile.Slots;

namespace Cluster.Pile;

/// <summary>
/// The exceptions of the pile by what went wrong, kept out of the hot methods so that those stay small. Stateless.
/// </summary>
internal static class Throw
{
    [DoesNotReturn]
    public static void OutsideWindow(long offset, long length, long windowLength)
        => throw new InvalidOperationException(
            $"Bug in the pile: bytes {offset}..{offset + length} are outside its range of {windowLength} bytes.");

    [DoesNotReturn]
    public static void InvariantBroken(string fact)
        => throw new InvalidOperationException($"Bug in the pile: an invariant does not hold. {fact}");

    [DoesNotReturn]
    public static void InvalidPointer(PilePointer pointer) => throw new InvalidPilePointerException(pointer);

    [DoesNotReturn]
    public static void DestinationTooSmall(int needed, int found)
        => throw new ArgumentException(
            $"The object has {needed} bytes and the destination only {found}; SizeOf tells the size.");

    [DoesNotReturn]
    public static void Disposed() => throw new ObjectDisposedException(nameof(LocalPile));

    [DoesNotReturn]
    public static void WrongKind(PayloadKind stored, Type asked)
        => throw new InvalidCastException(
            $"The object was stored as {Describe(stored)}; it cannot be read as {asked}.");

    [DoesNotReturn]
    public static void WrongType(Type stored, Type asked)
        => throw new InvalidCastException($"The object is a {stored}; it cannot be got as {asked}.");

    private static string Describe(PayloadKind kind) => kind switch
    {
        PayloadKind.Bytes => "bytes",
        PayloadKind.Graph => "an object graph",
        _ => "a string",
    };
}
