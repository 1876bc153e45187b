using Cluster.Pile.Layout;
using Cluster.Pile.Objects;

namespace Cluster.Pile.Caching.Keys;

/// <summary>Strings as one byte for the form, then one byte per character where Latin-1 holds all of them, two
/// otherwise. A codec that ignores case converts them to upper case first, which makes exactly those strings equal that
/// <see cref="StringComparison.OrdinalIgnoreCase"/> does. Stateless.</summary>
internal sealed class TextKeys(bool ignoresCase) : IKeyCodec<string>
{
    private const byte Latin1 = 1;
    private const byte Utf16 = 2;

    private static readonly SearchValues<char> OwnLetters = SearchValues.Create("\u0131\u017F");

    private readonly bool _ignoresCase = ignoresCase;

    public string Form => _ignoresCase ? "text-ignore-case" : "text";

    public bool TryEncode(string key, Span<byte> destination, out int length)
    {
        ReadOnlySpan<char> text = _ignoresCase ? Fold(key) : key;
        var isLatin1 = TextCodec.IsLatin1(text);
        length = 1 + (isLatin1 ? text.Length : text.Length * sizeof(char));
        if (length > destination.Length)
            return false;
        destination[0] = isLatin1 ? Latin1 : Utf16;
        if (isLatin1)
            TextCodec.EncodeLatin1(text, destination[1..]);
        else
            TextCodec.AsUtf16(text).CopyTo(destination[1..]);
        return true;
    }

    public string Decode(ReadOnlySpan<byte> bytes) =>
        TextCodec.Decode(bytes[0] == Latin1 ? PayloadKind.Latin1 : PayloadKind.Utf16, bytes[1..]);

    // Two characters outside ASCII have an ASCII letter as their upper case, but the comparison treats them as
    // different from it.
    private static string Fold(string text)
    {
        var folded = text.ToUpperInvariant();
        return text.AsSpan().ContainsAny(OwnLetters)
            ? string.Create(text.Length, (text, folded), static (place, form) =>
            {
                for (var i = 0; i < place.Length; i++)
                    place[i] = OwnLetters.Contains(form.text[i]) ? form.text[i] : form.folded[i];
            })
            : folded;
    }
}
