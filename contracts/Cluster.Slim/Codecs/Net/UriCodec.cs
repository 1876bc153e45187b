using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Net;

/// <summary>Writes and reads a URI: a byte, 1 if it is absolute, and its original text.</summary>
internal readonly struct UriCodec : ILeafCodec<Uri>
{
    public static void Describe(StepList steps) => steps.Bytes(1).Text();

    public static void Write(SlimWriter writer, Uri value)
    {
        writer.WriteByte(value.IsAbsoluteUri ? (byte)1 : (byte)0);
        writer.WriteString(value.OriginalString);
    }

    public static Uri Read(SlimReader reader)
    {
        var flag = reader.ReadByte();
        var kind = flag == 1 ? UriKind.Absolute : UriKind.Relative;
        if (!Uri.TryCreate(reader.ReadString(), kind, out var value))
            Throw.Malformed("A URI cannot be parsed.");
        if (flag > 1)
            Throw.Malformed("The kind of a URI is neither 0 nor 1.");
        return value!;
    }
}
