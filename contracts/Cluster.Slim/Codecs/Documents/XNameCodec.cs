using System.Xml;
using System.Xml.Linq;
using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Documents;

/// <summary>Writes and reads an XML name: the local name and its namespace. A process has one object for each
/// name.</summary>
internal readonly struct XNameCodec : ILeafCodec<XName>
{
    public static void Describe(StepList steps) => steps.Text().Text();

    public static void Write(SlimWriter writer, XName value)
    {
        writer.WriteString(value.LocalName);
        writer.WriteString(value.NamespaceName);
    }

    public static XName Read(SlimReader reader)
    {
        reader.Charge(256);
        var name = reader.ReadString();
        var space = reader.ReadString();
        try
        {
            return XName.Get(name!, space!);
        }
        catch (Exception e) when (e is ArgumentException or XmlException)
        {
            throw Throw.Failed("A text is not a name of XML.", e);
        }
    }
}
