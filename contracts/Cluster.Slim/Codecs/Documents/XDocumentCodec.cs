using System.Xml;
using System.Xml.Linq;
using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Documents;

/// <summary>Writes and reads an XML document: a byte, 1 if it has a declaration, the declaration's version, encoding
/// and standalone, then the content as text.</summary>
internal readonly struct XDocumentCodec : ILeafCodec<XDocument>
{
    public static void Describe(StepList steps) => steps.Bytes(1).Text().Text().Text().Text();

    public static void Write(SlimWriter writer, XDocument value)
    {
        if (value.DocumentType is not null)
        {
            throw Throw.NotSupported(
                typeof(XDocument), "it has a document type, which may define entities; carry its Root.");
        }

        var text = XmlText.Of(writer.Limits, value, Build);
        var declaration = value.Declaration;
        writer.WriteByte(declaration is null ? (byte)0 : (byte)1);
        writer.WriteString(declaration?.Version);
        writer.WriteString(declaration?.Encoding);
        writer.WriteString(declaration?.Standalone);
        writer.WriteString(text);
    }

    public static XDocument Read(SlimReader reader)
    {
        var mark = reader.ReadByte();
        if (mark > 1)
            Throw.Malformed("The declaration of a document is neither there nor not.");
        reader.Charge(128);
        XDeclaration declaration = new(reader.ReadString(), reader.ReadString(), reader.ReadString());
        var document = XmlText.Parse(reader, reader.ReadString() ?? "", Build);
        if (mark == 1)
            document.Declaration = declaration;
        return document;
    }

    // A document without a root element is valid while it is being built, but XDocument.Load refuses it. So the nodes
    // are read one by one.
    private static XDocument Build(XmlReader reader)
    {
        XDocument document = new();
        reader.Read();
        while (!reader.EOF)
        {
            if (reader.NodeType is XmlNodeType.Whitespace or XmlNodeType.SignificantWhitespace)
                reader.Read();
            else
                document.Add(XNode.ReadFrom(reader));
        }

        return document;
    }
}
