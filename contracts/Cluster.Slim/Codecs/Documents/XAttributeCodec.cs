using System.Xml.Linq;
using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Documents;

/// <summary>Writes and reads an XML attribute: name, namespace and value. Its element does not travel.</summary>
internal readonly struct XAttributeCodec : ILeafCodec<XAttribute>
{
    public static void Describe(StepList steps) => steps.Text().Text().Text();

    public static void Write(SlimWriter writer, XAttribute value)
    {
        XNameCodec.Write(writer, value.Name);
        writer.WriteString(value.Value);
    }

    public static XAttribute Read(SlimReader reader)
    {
        var name = XNameCodec.Read(reader);
        var value = reader.ReadString();
        try
        {
            return new XAttribute(name, value!);
        }
        catch (ArgumentException e)
        {
            throw Throw.Failed("An attribute of XML is refused by the framework.", e);
        }
    }
}
