using System.Xml;
using System.Xml.Linq;
using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Documents;

/// <summary>Writes and reads an XML element with all that it holds, as text. Its parent and its annotations do not
/// travel.</summary>
internal readonly struct XElementCodec : ILeafCodec<XElement>
{
    public static void Describe(StepList steps) => steps.Text();

    public static void Write(SlimWriter writer, XElement value) =>
        writer.WriteString(XmlText.Of(writer.Limits, value, Build));

    public static XElement Read(SlimReader reader) => XmlText.Parse(reader, reader.ReadString() ?? "", Build);

    private static XElement Build(XmlReader reader) => XElement.Load(reader, LoadOptions.PreserveWhitespace);
}
