using System.Xml.Linq;
using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Documents;

/// <summary>Writes and reads an XML namespace by its name. A process has one object for each namespace.</summary>
internal readonly struct XNamespaceCodec : ILeafCodec<XNamespace>
{
    public static void Describe(StepList steps) => steps.Text();

    public static void Write(SlimWriter writer, XNamespace value) => writer.WriteString(value.NamespaceName);

    public static XNamespace Read(SlimReader reader)
    {
        reader.Charge(256);
        var name = reader.ReadString();
        if (name is null)
            Throw.Malformed("A namespace of XML has no name.");
        return XNamespace.Get(name!);
    }
}
