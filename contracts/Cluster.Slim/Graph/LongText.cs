using System.Runtime.InteropServices;
using System.Text;

namespace Cluster.Slim.Graph;

/// <summary>Texts too long to be narrowed on trial: they are looked through first and go out in pieces.</summary>
internal static class LongText
{
    /// <summary>Texts of more characters are long.</summary>
    internal const int LengthMin = SlimWriter.VisibleBytesMax / 2;

    private const int PieceLength = 16 * 1024;

    internal static void Write(SlimWriter writer, ReadOnlySpan<char> text)
    {
        bool isNarrow = Ascii.IsValid(text);
        writer.WriteVar(((uint)text.Length << 1) + (isNarrow ? 1u : 2u));
        if (!isNarrow)
        {
            writer.WriteBytes(MemoryMarshal.AsBytes(text));
            return;
        }

        while (!text.IsEmpty)
        {
            ReadOnlySpan<char> part = text[..Math.Min(PieceLength, text.Length)];
            Ascii.FromUtf16(part, MemoryMarshal.CreateSpan(ref writer.Reserve(part.Length), part.Length), out _);
            text = text[part.Length..];
        }
    }
}
