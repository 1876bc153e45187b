using Cluster.Pile.Layout;

namespace Cluster.Pile.Objects;

/// <summary>Strings as payloads: one byte per character where Latin-1 holds all of them, two otherwise.
/// Stateless.</summary>
internal static class TextCodec
{
    private const char Latin1Max = '\u00FF';

    public static bool IsLatin1(ReadOnlySpan<char> text) => !text.ContainsAnyExceptInRange('\0', Latin1Max);

    public static void EncodeLatin1(ReadOnlySpan<char> text, Span<byte> destination)
    {
        var count = Encoding.Latin1.GetBytes(text, destination);
        Invariant.Holds(count == text.Length, "Latin-1 takes one byte per character.");
    }

    public static ReadOnlySpan<byte> AsUtf16(ReadOnlySpan<char> text) => MemoryMarshal.AsBytes(text);

    /// <summary>Decodes the private copy of a text payload.</summary>
    public static string Decode(PayloadKind kind, ReadOnlySpan<byte> payload) =>
        kind == PayloadKind.Latin1
            ? Encoding.Latin1.GetString(payload)
            : new string(MemoryMarshal.Cast<byte, char>(payload));
}
