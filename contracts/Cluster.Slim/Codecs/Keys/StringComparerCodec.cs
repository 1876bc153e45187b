using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Errors;
using Cluster.Slim.Keys;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Keys;

/// <summary>Writes and reads a comparer of text: its code, and the name and options for that of a culture.</summary>
internal readonly struct StringComparerCodec : ILeafCodec<StringComparer>
{
    public static void Describe(StepList steps) => steps.Comparer();

    public static void Write(SlimWriter writer, StringComparer value)
    {
        if (Comparers.CodeOf(value, null) == ComparerCodes.Own)
            throw Throw.NotSupported(value.GetType(), "this comparer of text is not one of the well-known ones.");
        Comparers.Write(writer, value, null);
    }

    public static StringComparer Read(SlimReader reader)
    {
        var comparer = Comparers.ReadText(reader, reader.ReadByte());
        if (comparer is null)
            Throw.Malformed("A comparer of text is unknown.");
        return comparer!;
    }
}
