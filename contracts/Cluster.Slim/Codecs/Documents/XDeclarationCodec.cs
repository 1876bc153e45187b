using System.Xml.Linq;
using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Documents;

/// <summary>Writes and reads an XML declaration: version, encoding and standalone.</summary>
internal readonly struct XDeclarationCodec : ILeafCodec<XDeclaration>
{
    public static void Describe(StepList steps) => steps.Text().Text().Text();

    public static void Write(SlimWriter writer, XDeclaration value)
    {
        writer.WriteString(value.Version);
        writer.WriteString(value.Encoding);
        writer.WriteString(value.Standalone);
    }

    public static XDeclaration Read(SlimReader reader) =>
        new(reader.ReadString(), reader.ReadString(), reader.ReadString());
}
