using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Cultures;

/// <summary>Writes and reads an encoding by its name, and whether it has a preamble. Encodings with changed fallbacks
/// are refused.</summary>
internal readonly struct EncodingCodec : ILeafCodec<Encoding>
{
    public static void Describe(StepList steps) => steps.Text().Bytes(1);

    public static void Write(SlimWriter writer, Encoding value)
    {
        var preamble = value.Preamble.IsEmpty ? (byte)0 : (byte)1;
        if (Find(value.WebName, preamble) is not { } same || !same.Equals(value))
            throw Throw.NotSupported(typeof(Encoding), $"{value.WebName} has settings that its name does not tell.");
        writer.WriteString(value.WebName);
        writer.WriteByte(preamble);
    }

    public static Encoding Read(SlimReader reader)
    {
        var name = reader.ReadString();
        var found = Find(name ?? "", reader.ReadByte());
        if (found is null)
            Throw.Malformed("An encoding is not known here.");
        return found!;
    }

    private static Encoding? Find(string name, byte preamble)
    {
        if (preamble > 1)
            return null;
        var marked = preamble == 1;
        return name switch
        {
            "utf-8" => marked ? Encoding.UTF8 : new UTF8Encoding(marked),
            "utf-16" => marked ? Encoding.Unicode : new UnicodeEncoding(false, marked),
            "utf-16BE" => marked ? Encoding.BigEndianUnicode : new UnicodeEncoding(true, marked),
            "utf-32" => marked ? Encoding.UTF32 : new UTF32Encoding(false, marked),
            "us-ascii" => marked ? null : Encoding.ASCII,
            "iso-8859-1" => marked ? null : Encoding.Latin1,
            _ => null,
        };
    }
}
