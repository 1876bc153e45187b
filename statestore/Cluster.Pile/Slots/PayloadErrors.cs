using Cluster.Pile.Layout;

namespace Cluster.Pile.Slots;

/// <summary>Creates the exceptions for objects of an unexpected kind, outside of the hot methods so that those stay
/// small. Stateless.</summary>
internal static class PayloadErrors
{
    [DoesNotReturn]
    public static void WrongKind(PayloadKind stored, Type asked) =>
        throw new InvalidCastException(
            $"The object was stored as {Describe(stored)}; it cannot be read as {asked}.");

    private static string Describe(PayloadKind kind) => kind switch
    {
        PayloadKind.Bytes => "bytes",
        PayloadKind.Graph => "an object graph",
        _ => "a string",
    };
}
